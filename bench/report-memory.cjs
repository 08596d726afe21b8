// Loaded before a measured program: tells the most memory that it had, in KiB, at its end.
process.on('exit', () => require('node:fs').writeSync(3, String(process.resourceUsage().maxRSS)));
