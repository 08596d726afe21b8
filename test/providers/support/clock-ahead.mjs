// Loaded by `--import` before the program: its clock is ahead by as many milliseconds as the variable says.
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
