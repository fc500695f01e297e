#pragma once
// What a table must hold beyond the ranges of its keys, and what must hold between tables. Each check
// reports; the first kind also completes its struct (a preset's values before the keys are read, paths and
// the contents of small files after).

#include "repose/scene/keys/tables.h"

namespace repose::scene_file {

/// Before the keys of a table are read.
void prepare(const Value& table, Material& material);
void prepare(const Value& table, Fill& fill);
void prepare(const Value& table, ProbeDefinition& probe);
template <class S>
void prepare(const Value&, S&) {}

/// After the keys of a table were read.
void check(const Value& table, ReadContext& context, SceneInfo& info);
void check(const Value& table, ReadContext& context, Domain& domain);
void check(const Value& table, ReadContext& context, Material& material);
void check(const Value& table, ReadContext& context, GrainDefinition& grain);
void check(const Value& table, ReadContext& context, ContactPair& contact);
void check(const Value& table, ReadContext& context, Fill& fill);
void check(const Value& table, ReadContext& context, Emitter& emitter);
void check(const Value& table, ReadContext& context, Sink& sink);
void check(const Value& table, ReadContext& context, Zone& zone);
void check(const Value& table, ReadContext& context, BodyDefinition& body);
void check(const Value& table, ReadContext& context, JointDefinition& joint);
void check(const Value& table, ReadContext& context, ProbeDefinition& probe);
void check(const Value& table, ReadContext& context, CheckDefinition& definition);
void check(const Value& table, ReadContext& context, RefineSettings& refine);
void check(const Value& table, ReadContext& context, SurfaceSettings& surface);
void check(const Value& table, ReadContext& context, RenderSettings& render);
template <class S>
void check(const Value&, ReadContext&, S&) {}

/// That a probe does not fill the disk by the end of the run; `place` is where its interval stands.
void check_probe_rows(ReadContext& context, const Place& place, const Scene& scene,
                      const ProbeDefinition& probe);

/// That the column which a check names is one of its probe's; `place` is where it is named.
void check_probe_column(ReadContext& context, const Place& place, const Scene& scene,
                        const CheckDefinition& definition);

/// Names that refer to nothing, and names that two things share.
void check_references(const Value& root, ReadContext& context, const Scene& scene);

}  // namespace repose::scene_file
