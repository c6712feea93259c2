/** A million readings of four probes with five depths each. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

export const ROWS = 1_000_000;
export const MODULES = 4;
export const DEPTHS = [10, 20, 30, 45, 60];
const STEP_MS = 900_000;
export const ZONE = 'Europe/Paris';

/** Rows are ordered by module, then by quarter-hour, then by depth. */
export function reading(row, rows) {
  const perModule = rows / MODULES;
  const module = Math.floor(row / perModule);
  const within = row % perModule;
  const depth = within % DEPTHS.length;
  const at = Date.UTC(2000, 0, 1) + Math.floor(within / DEPTHS.length) * STEP_MS;
  return { sensor: module * DEPTHS.length + depth, module, depth, at, value: 10 + ((row * 7919) % 3000) / 100 };
}

export async function writeReadings(path, rows) {
  const file = createWriteStream(path);
  file.write('module,type,depth,time,value\n');
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE, dateStyle: 'short', timeStyle: 'medium' });
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
    const { module, depth, at, value } = reading(row, rows);
    block += `Probe ${module + 1},humidity,${DEPTHS[depth]},${timeOf(at)},${value}\n`;
    if (block.length < 1 << 20) continue;
    if (!file.write(block)) await once(file, 'drain');
    block = '';
  }
  file.end(block);
  await once(file, 'finish');
}
