import type { CsvImportResult } from '../../schema/imports/csv-import.ts';
import { languageOf } from '../index.ts';
import type { SummaryContext } from '../summary-context.ts';
import { nameInSentence } from '../text.ts';
import { formatTimeSpan } from '../time.ts';

const MAX_NAMED_MODULES = 5;

export function summarizeCsvImport(result: CsvImportResult, context: SummaryContext): string {
  const { csvImport, format } = languageOf(context.lang);
  const { dryRun, modules, readings, columns, timezone } = result;
  const zoned = { ...context, zone: timezone };
  const named = modules
    .slice(0, MAX_NAMED_MODULES)
    .map(({ name, sensors, from, to }) =>
      csvImport.module(
        nameInSentence(name),
        format.list(sensors),
        `${formatTimeSpan(Date.parse(from), Date.parse(to), zoned)} (${timezone})`,
      ),
    );
  const unread = columns.filter(({ meaning }) => meaning === null).map(({ name }) => nameInSentence(name));
  return [
    ...(dryRun ? [csvImport.dryRun] : []),
    named.length === 0
      ? csvImport.nothing
      : csvImport.stored({ ...readings, isDryRun: dryRun }, named, modules.length - named.length),
    ...(readings.refused > 0 ? [csvImport.refused(readings.refused)] : []),
    ...(unread.length > 0 ? [csvImport.unread(format.list(unread.slice(0, MAX_NAMED_MODULES)))] : []),
  ].join(' ');
}
