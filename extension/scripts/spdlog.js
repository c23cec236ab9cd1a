// In the place of the editor's logging library, whose native part is not there in
// the tests: the same interface, so that what the editor, the extension and the
// daemon log is in files, and a failed test can show it.
const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');

const levels = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];

class Logger {
  constructor(_type, _name, file) {
    this.file = file;
    this.level = 2;
    this.raw = false;
  }

  write(level, message) {
    if (level < this.level) {
      return;
    }
    try {
      appendFileSync(this.file, this.raw ? message : `${new Date().toISOString()} [${levels[level]}] ${message}\n`);
    } catch {
      // the folder of the run is gone: it is over
    }
  }

  trace(message) { this.write(0, message); }
  debug(message) { this.write(1, message); }
  info(message) { this.write(2, message); }
  warn(message) { this.write(3, message); }
  error(message) { this.write(4, message); }
  critical(message) { this.write(5, message); }
  getLevel() { return this.level; }
  setLevel(level) { this.level = level; }
  setPattern() {}
  clearFormatters() { this.raw = true; }
  flush() {}
  drop() {}
}

async function create(_name, file) {
  mkdirSync(dirname(file), { recursive: true });
  return new Logger('rotating', _name, file);
}

// One by one: an importer of ES modules sees only names that are assigned like this.
exports.version = 1;
exports.setLevel = () => undefined;
exports.setFlushOn = () => undefined;
exports.Logger = Logger;
exports.createRotatingLogger = create;
exports.createAsyncRotatingLogger = create;
