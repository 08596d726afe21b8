// Loaded with `--import` before the program: sets its clock ahead by the number of milliseconds in the variable.
const ahead = Number(process.env.TEST_CLOCK_AHEAD);
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + ahead);
    else super(...args);
  }
  static now() {
    return RealDate.now() + ahead;
  }
};
