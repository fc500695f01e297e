// Libraries that start threads which nobody needs.
//
// OpenVDB as Debian builds it brings log4cplus, which starts four threads when it is loaded, before main:
// each process of the command had them, whatever its verb, and ended by abort where a limit on processes
// (ulimit -u) refused them. The library calls its own start through a symbol that a program may define in its
// place. Where OpenVDB has something to log, log4cplus makes what it needs then. Where it is not linked,
// nobody calls this.

namespace log4cplus {

void initializeLog4cplus();
void initializeLog4cplus() {}

}  // namespace log4cplus
