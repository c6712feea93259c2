import type { Lang } from '../../domain/lang.ts';
import { nameInSentence } from '../../domain/text.ts';
import {
  type CsvImportResult,
  REJECTION_CODES,
  type RejectionCode,
  type RejectionReason,
  type SkipCode,
} from '../../schema/ingest/csv-import.ts';
import { languageOf } from '../index.ts';
import type { SummaryContext } from '../summary-context.ts';
import { formatTimeSpan } from '../time.ts';

const MAX_NAMED_MODULES = 5;
const MAX_NAMED_REASONS = 5;

function formatReasons(reasons: CsvImportResult['reasons'], lang: Lang): string {
  const texts = reasons.slice(0, MAX_NAMED_REASONS).map(({ code, reason, count }) => {
    const text = code !== undefined && isRejectionCode(code) ? describeReason(code, lang) : reason;
    return reasons.length > 1 && count > 1 ? `${text} (${count})` : text;
  });
  return languageOf(lang).importReport.reasons([
    ...texts,
    ...(reasons.length > MAX_NAMED_REASONS ? ['…'] : []),
  ]);
}

export function summarizeCsvImport(result: CsvImportResult, context: SummaryContext): string {
  const { csvImport, format } = languageOf(context.lang);
  const { dryRun, modules, readings, columns, timezone } = result;
  const provider = columns.find((column) => column.export !== undefined)?.export;
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

  const unread = columns
    .filter(({ meaning }) => meaning === null)
    .map(({ name }) => nameInSentence(name));

  return [
    ...(dryRun ? [csvImport.dryRun] : []),
    ...(provider === undefined ? [] : [csvImport.profile(provider)]),
    named.length === 0
      ? csvImport.nothing
      : csvImport.stored({ ...readings, isDryRun: dryRun }, named, modules.length - named.length),
    ...(readings.refused > 0
      ? [csvImport.refused(readings.refused, formatReasons(result.reasons, context.lang))]
      : []),
    ...(unread.length > 0
      ? [csvImport.unread(format.list(unread.slice(0, MAX_NAMED_MODULES)))]
      : []),
  ].join(' ');
}

export interface Rejection {
  readonly reason: RejectionReason;
  readonly column?: string;
}

export const describeReason = (reason: RejectionReason, lang: Lang): string =>
  typeof reason === 'string' ? languageOf(lang).rejections[reason] : reason.text;

export function describeRejections(rejections: readonly Rejection[], lang: Lang): string {
  const { importReport } = languageOf(lang);
  const texts = rejections.map(({ reason, column }) => {
    const text = describeReason(reason, lang);
    return column ? importReport.inColumn(column, text) : text;
  });
  return importReport.reasons(texts);
}

export const describeSkip = (code: SkipCode, lang: Lang): string =>
  languageOf(lang).skippedColumns[code];

export const describeColumnMeaning = (meaning: string, lang: Lang): string =>
  languageOf(lang).importReport.meanings[meaning] ?? meaning;

const isRejectionCode = (code: string): code is RejectionCode =>
  (REJECTION_CODES as readonly string[]).includes(code);
