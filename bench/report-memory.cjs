// Loaded before a measured program: reports its peak memory, in KiB, at its end.
process.on('exit', () => require('node:fs').writeSync(3, String(process.resourceUsage().maxRSS)));
