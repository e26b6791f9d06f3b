// Style: three views of the loop's state in turn.
// WITH HEADERS
// INSTEAD OF: enum { VIEWS = 2 };
enum { VIEWS = 3 };
// END(5)
// INSTEAD OF: view views[VIEWS] = {view_open(l.check_every), view_open(l.check_every)};
view views[VIEWS] = {view_open(l.check_every), view_open(l.check_every), view_open(l.check_every)};
// END(5)
