import { DEFAULT_LANG } from '../../domain/lang.ts';
import {
  counted,
  join,
  list,
  name,
  say,
  sentences,
  verbatim,
  verbatimText,
} from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { inZone, period } from '../../domain/text/times.ts';
import { zoneLabel } from '../../domain/time-zone.ts';
import type { CsvImportResult } from '../../schema/ingest/csv-import.ts';
import {
  type ClockStop,
  REJECTION_CODES,
  type RejectionCode,
  SKIP_CODES,
} from '../../schema/ingest/rejection.ts';
import { describeReason, describeSkip } from './import-report.ts';

const MAX_NAMED_MODULES = 5;
const MAX_NAMED_REASONS = 5;

export function summarizeCsvImport(result: CsvImportResult): Text {
  const { dryRun, readings, columns, timezone } = result;
  const provider = columns.find((column) => column.export !== undefined)?.export;
  const unread = columns.filter(({ meaning }) => meaning === null).map(describeUnreadColumn);

  return sentences([
    dryRun ? say`Nothing is stored yet; this is how the file was understood.` : null,
    provider === undefined ? null : say`The file is an export of ${name(provider)}.`,
    describeStored(result),
    readings.stopped === undefined ? null : describeClockStop(readings.stopped, timezone),
    readings.refused === 0
      ? null
      : say`${counted(readings.refused, 'row was', 'rows were')} rejected, at least in part: ${listReasons(result.reasons)}.`,
    unread.length === 0
      ? null
      : say`Columns not read: ${list(unread.slice(0, MAX_NAMED_MODULES))}.`,
  ]);
}

function describeStored({ dryRun, modules, readings, timezone }: CsvImportResult): Text {
  if (modules.length === 0) return say`The file has no reading that can be stored.`;

  const named = modules
    .slice(0, MAX_NAMED_MODULES)
    .map(
      (module) =>
        say`${name(module.name)} (${list(module.sensors.map(name))}), ${inZone(period(module.from, module.to), timezone)} (${verbatim(zoneLabel(timezone))})`,
    );
  const more = modules.length - named.length;
  const places = [...named, more > 0 ? say`and ${counted(more, 'more module')}` : null];
  const { written, changed, unchanged } = readings;
  return say`${dryRun ? say`To store` : say`Stored`}: ${counted(written, 'new reading')}, ${changed} changed, ${unchanged} already there. ${join(places, say`; `)}.`;
}

const describeClockStop = ({ line, time, offset }: ClockStop, timezone: string): Text =>
  say`Stopped at line ${line}: ${verbatim(zoneLabel(timezone))} has no ${name(time)} (clocks go forward), so the clock of the file may stay the same all year. The rows before it are right in both cases. Ask the person; if so, import the header and the lines from ${line} on with timezone "${name(offset)}", else those after ${line}.`;

function describeUnreadColumn(column: CsvImportResult['columns'][number]): Text {
  const skip = SKIP_CODES.find((code) => code === column.code);
  const why = skip === undefined ? null : say` (${verbatim(describeSkip(skip, DEFAULT_LANG))})`;
  return say`${name(column.name)}${why}`;
}

function listReasons(reasons: CsvImportResult['reasons']): Text {
  const texts = reasons.slice(0, MAX_NAMED_REASONS).map(({ code, reason, count }) => {
    const known = code !== undefined && isRejectionCode(code);
    const text = known ? describeReason(code, DEFAULT_LANG) : verbatimText(reason);
    return say`${text}${reasons.length > 1 && count > 1 ? say` (${count})` : null}`;
  });
  const more = reasons.length > MAX_NAMED_REASONS ? say`…` : null;
  return join([...texts, more], say`; `);
}

const isRejectionCode = (code: string): code is RejectionCode =>
  REJECTION_CODES.some((known) => known === code);
