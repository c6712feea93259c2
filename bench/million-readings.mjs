/** A million readings of four probes with five depths each, in the usual size. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { sized } from './sizes.mjs';

export const ROWS = sized(1_000_000, 1_000);
export const MODULES = 4;
export const DEPTHS = [10, 20, 30, 45, 60];
const STEP_MS = 900_000;
export const ZONE = 'Europe/Paris';

/** Rows are ordered by module, then by quarter-hour, then by depth. */
export function reading(row, rows, modules = MODULES) {
  const perModule = rows / modules;
  const module = Math.floor(row / perModule);
  const within = row % perModule;
  const depth = within % DEPTHS.length;
  const at = Date.UTC(2000, 0, 1) + Math.floor(within / DEPTHS.length) * STEP_MS;
  return {
    sensor: module * DEPTHS.length + depth,
    module,
    depth,
    at,
    value: 10 + ((row * 7919) % 3000) / 100,
  };
}

/** Rows are ordered by quarter-hour, then by module, then by depth. */
function readingInTimeOrder(row, modules) {
  const perInstant = modules * DEPTHS.length;
  const sensor = row % perInstant;
  const at = Date.UTC(2000, 0, 1) + Math.floor(row / perInstant) * STEP_MS;
  const [module, depth] = [Math.floor(sensor / DEPTHS.length), sensor % DEPTHS.length];
  return { sensor, module, depth, at, value: 10 + ((row * 7919) % 3000) / 100 };
}

export const writeReadings = (path, rows, modules = MODULES) =>
  writeFile(path, rows, (row) => reading(row, rows, modules));

export const writeReadingsInTimeOrder = (path, rows, modules) =>
  writeFile(path, rows, (row) => readingInTimeOrder(row, modules));

async function writeFile(path, rows, readingOf) {
  const file = createWriteStream(path);
  file.write('module,type,depth,time,value\n');
  const local = new Intl.DateTimeFormat('sv-SE', {
    timeZone: ZONE,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const localTimes = new Map();
  const timeOf = (at) => {
    // Formatting takes longer than the whole import, so local times are cached per quarter-hour.
    let text = localTimes.get(at);
    if (text === undefined) {
      text = local.format(at);
      if (localTimes.size > 2000) localTimes.clear();
      localTimes.set(at, text);
    }
    return text;
  };
  let block = '';
  for (let row = 0; row < rows; row++) {
    const { module, depth, at, value } = readingOf(row);
    block += `Probe ${module + 1},humidity,${DEPTHS[depth]},${timeOf(at)},${value}\n`;
    if (block.length < 1 << 20) continue;
    if (!file.write(block)) await once(file, 'drain');
    block = '';
  }
  file.end(block);
  await once(file, 'finish');
}
