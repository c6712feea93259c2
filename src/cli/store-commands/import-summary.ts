import { civilAt } from '../../domain/time-zone.ts';
import { quote } from '../../language/text.ts';
import type { FarmImportReport, ImportCounts } from '../../service/farm/farm-rows.ts';
import type { ReadingsReport } from '../../service/ingest/readings-import.ts';
import { formatTerminalCount } from '../process/output.ts';

const KINDS = [
  ['users', 'user', 'users'],
  ['parcels', 'parcel', 'parcels'],
  ['gateways', 'gateway', 'gateways'],
  ['modules', 'module', 'modules'],
  ['sensors', 'sensor', 'sensors'],
  ['soilLayers', 'soil layer', 'soil layers'],
  ['installations', 'installation', 'installations'],
] as const;

export function formatFarmReport(file: string, report: FarmImportReport): string {
  const { company, moduleResults, completedDoses } = report;
  const lines = [
    `${file}: company ${quote(company.name)} (#${company.id}) ${company.outcome}.`,
    ...KINDS.flatMap(([kind, one, many]) => formatTally(report[kind], one, many)),
    ...formatModules(moduleResults),
  ];
  if (completedDoses > 0) lines.push(`  ${formatTerminalCount(completedDoses, 'watering')} got its missing dose`);
  const planChanges = Object.entries(report.plans).filter(([, count]) => count > 0);
  if (planChanges.length > 0)
    lines.push(
      `  planned waterings of schedules: ${planChanges.map(([what, count]) => `${count} ${what}`).join(', ')}`,
    );
  return `${lines.join('\n')}\n`;
}

const MAX_LISTED_MODULES = 10;

function formatModules(modules: FarmImportReport['moduleResults']): string[] {
  const omitted = modules.length - MAX_LISTED_MODULES;
  return [
    ...modules
      .slice(0, MAX_LISTED_MODULES)
      .map(({ id, uid, name, outcome }) => `  module #${id} ${quote(name ?? uid)} (${quote(uid)}) ${outcome}`),
    ...(omitted > 0 ? [`  and ${formatTerminalCount(omitted, 'more module')}`] : []),
  ];
}

function formatTally({ created, changed, unchanged }: ImportCounts, one: string, many: string): string[] {
  const parts = [
    [created, 'created'],
    [changed, 'changed'],
    [unchanged, 'unchanged'],
  ].filter(([count]) => (count as number) > 0);
  const total = created + changed + unchanged;
  if (total === 0) return [];
  return [
    `  ${formatTerminalCount(total, one, many)}: ${parts.map(([count, outcome]) => `${count} ${outcome}`).join(', ')}`,
  ];
}

export const formatFirstRejects = (report: ReadingsReport): string =>
  report.firstRejects.map(({ line, reason, text }) => `line ${line}: ${reason}: ${quote(text)}\n`).join('');

export function formatReadingsReport(file: string, report: ReadingsReport, rejectsFile: string | undefined): string {
  const { rows, kept, sensors, from, to, zone, repeats, rejectedRows, reasons, skippedColumns, isStopped } = report;
  const span =
    from === null || to === null
      ? ''
      : `, ${formatLocalMinute(from, zone)} to ${formatLocalMinute(to, zone)} (${zone})`;
  const lines = [
    `${file}: ${formatTerminalCount(rows, 'row')} read, ${formatTerminalCount(kept, 'reading')} stored of ${formatTerminalCount(sensors, 'sensor')}${span}.`,
  ];
  if (repeats > 0)
    lines.push(
      `  ${formatTerminalCount(repeats, 'reading')} repeated: of each sensor and instant the last value in the file is stored`,
    );
  lines.push(...formatUnderstanding(report));
  for (const why of new Set(skippedColumns.map((column) => column.why))) {
    const names = skippedColumns.filter((column) => column.why === why).map(formatSkipped);
    lines.push(`  skipped ${formatTerminalCount(names.length, 'column')} (${why}): ${names.join(', ')}`);
  }
  if (rejectedRows > 0) {
    lines.push(`  ${formatTerminalCount(rejectedRows, 'row')} rejected, in whole or in part:`);
    for (const { reason, count } of reasons) lines.push(`    ${count.toLocaleString('en-US')} x ${reason}`);
    lines.push(rejectsFile === undefined ? '  use --rejects FILE to save them' : `  saved in ${rejectsFile}`);
  }
  if (isStopped) lines.push('  stopped before the end: the readings above stay; import the file again for the rest');
  return `${lines.join('\n')}\n`;
}

const formatSkipped = ({ name, nearest }: ReadingsReport['skippedColumns'][number]): string =>
  nearest === null ? quote(name) : `${quote(name)} (nearest: ${nearest})`;

/** Nothing about the columns if the name of each is its meaning. */
function formatUnderstanding({ columns, dates }: ReadingsReport): string[] {
  const isRenamed = columns.some(({ name, meaning, isConverted }) => name.toLowerCase() !== meaning || isConverted);
  const read = columns.map(
    ({ name, meaning, unit, isConverted }) =>
      `${quote(name)} as ${meaning}${isConverted ? `, converted from ${unit}` : ''}`,
  );
  return [
    ...(isRenamed ? [`  columns read: ${read.join('; ')}`] : []),
    ...(dates === null ? [] : [`  dates read as ${dates === 'dmy' ? 'day/month/year' : 'month/day/year'}`]),
  ];
}

function formatLocalMinute(at: number, zone: string): string {
  const { year, month, day, hour, minute } = civilAt(at, zone);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}`;
}
