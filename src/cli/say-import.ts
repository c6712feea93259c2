import { civilAt } from '../domain/zone.ts';
import { quoted } from '../operation/names.ts';
import type { FarmReport, Tally } from '../service/farm-report.ts';
import type { ReadingsReport } from '../service/readings-file.ts';
import { counted } from './counted.ts';

/** What an import did, in words for a terminal. Text of the files is shown on one line and cut short. */

const KINDS = [
  ['users', 'user', 'users'],
  ['parcels', 'parcel', 'parcels'],
  ['gateways', 'gateway', 'gateways'],
  ['modules', 'module', 'modules'],
  ['sensors', 'sensor', 'sensors'],
  ['soilLayers', 'soil layer', 'soil layers'],
  ['installations', 'installation', 'installations'],
] as const;

export function sayFarm(file: string, report: FarmReport): string {
  const { company, named, completedDoses } = report;
  const lines = [
    `${file}: company ${quoted(company.name)} (#${company.id}) ${company.outcome}.`,
    ...KINDS.flatMap(([kind, one, many]) => sayTally(report[kind], one, many)),
    ...named.map(({ id, uid, name, outcome }) => `  module #${id} ${quoted(name ?? uid)} (${quoted(uid)}) ${outcome}`),
  ];
  if (completedDoses > 0) lines.push(`  ${counted(completedDoses, 'watering')} got the dose it lacked`);
  const followed = Object.entries(report.plans).filter(([, count]) => count > 0);
  if (followed.length > 0)
    lines.push(`  planned waterings of schedules: ${followed.map(([what, count]) => `${count} ${what}`).join(', ')}`);
  return `${lines.join('\n')}\n`;
}

function sayTally({ created, changed, unchanged }: Tally, one: string, many: string): string[] {
  const parts = [
    [created, 'created'],
    [changed, 'changed'],
    [unchanged, 'unchanged'],
  ].filter(([count]) => (count as number) > 0);
  const total = created + changed + unchanged;
  if (total === 0) return [];
  return [`  ${counted(total, one, many)}: ${parts.map(([count, outcome]) => `${count} ${outcome}`).join(', ')}`];
}

/** The first rejected rows, with where they stand and why. */
export const sayFirstRejects = (report: ReadingsReport): string =>
  report.firstRejects.map(({ line, reason, text }) => `line ${line}: ${reason}: ${quoted(text)}\n`).join('');

export function sayReadings(file: string, report: ReadingsReport, rejectsFile: string | undefined): string {
  const { rows, kept, sensors, from, to, zone, repeats, rejectedRows, reasons, skippedColumns, isStopped } = report;
  const span = from === null || to === null ? '' : `, ${localMinute(from, zone)} to ${localMinute(to, zone)} (${zone})`;
  const lines = [
    `${file}: ${counted(rows, 'row')} read, ${counted(kept, 'reading')} kept of ${counted(sensors, 'sensor')}${span}.`,
  ];
  if (repeats > 0)
    lines.push(
      `  ${counted(repeats, 'reading')} repeated: each sensor and instant is kept once, as the file has it last`,
    );
  for (const why of new Set(skippedColumns.map((column) => column.why))) {
    const names = skippedColumns.filter((column) => column.why === why).map((column) => quoted(column.name));
    lines.push(`  skipped ${counted(names.length, 'column')} (${why}): ${names.join(', ')}`);
  }
  if (rejectedRows > 0) {
    lines.push(`  ${counted(rejectedRows, 'row')} rejected, in whole or in part:`);
    for (const { reason, count } of reasons) lines.push(`    ${count.toLocaleString('en-US')} x ${reason}`);
    lines.push(
      rejectsFile === undefined ? '  add --rejects FILE to get them whole' : `  they stand whole in ${rejectsFile}`,
    );
  }
  if (isStopped) lines.push('  stopped before the end: the readings above stay; import the file again for the rest');
  return `${lines.join('\n')}\n`;
}

/** Local date and time to the minute. */
function localMinute(at: number, zone: string): string {
  const { year, month, day, hour, minute } = civilAt(at, zone);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}`;
}
