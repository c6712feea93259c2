import { DEFAULT_LANG } from '../../domain/lang.ts';
import { nameInSentence } from '../../domain/text.ts';
import { zoneLabel } from '../../domain/time-zone.ts';
import type { CsvImportResult } from '../../schema/ingest/csv-import.ts';
import { REJECTION_CODES, type RejectionCode, SKIP_CODES } from '../../schema/ingest/rejection.ts';
import { englishFormat } from '../en/grammar.ts';
import type { SummaryContext } from '../summary-context.ts';
import { formatTimeSpan } from '../time.ts';
import { importPhrases } from './import-phrases.ts';
import { describeReason, describeSkip } from './import-report.ts';

const MAX_NAMED_MODULES = 5;
const MAX_NAMED_REASONS = 5;

export function summarizeCsvImport(result: CsvImportResult, context: SummaryContext): string {
  const { dryRun, modules, readings, columns, timezone } = result;
  const zoned = { ...context, zone: timezone };
  const sentences: string[] = [];
  if (dryRun) sentences.push(importPhrases.dryRun);

  const provider = columns.find((column) => column.export !== undefined)?.export;
  if (provider !== undefined) sentences.push(importPhrases.provider(provider));

  const named = modules
    .slice(0, MAX_NAMED_MODULES)
    .map(({ name, sensors, from, to }) =>
      importPhrases.module(
        nameInSentence(name),
        englishFormat.list(sensors),
        `${formatTimeSpan(Date.parse(from), Date.parse(to), zoned)} (${zoneLabel(timezone)})`,
      ),
    );
  sentences.push(
    named.length === 0
      ? importPhrases.nothing
      : importPhrases.stored(
          { ...readings, isDryRun: dryRun },
          named,
          modules.length - named.length,
        ),
  );

  if (readings.stopped !== undefined)
    sentences.push(importPhrases.clockStop(readings.stopped, zoneLabel(timezone)));
  if (readings.refused > 0)
    sentences.push(importPhrases.refused(readings.refused, listReasons(result.reasons)));

  const unread = columns
    .filter(({ meaning }) => meaning === null)
    .map(({ name, code }) => importPhrases.unreadColumn(nameInSentence(name), reasonOfSkip(code)));
  if (unread.length > 0)
    sentences.push(importPhrases.unread(englishFormat.list(unread.slice(0, MAX_NAMED_MODULES))));

  return sentences.join(' ');
}

function reasonOfSkip(code: string | undefined): string | undefined {
  const known = SKIP_CODES.find((each) => each === code);
  return known && describeSkip(known, DEFAULT_LANG);
}

function listReasons(reasons: CsvImportResult['reasons']): string {
  const texts = reasons.slice(0, MAX_NAMED_REASONS).map(({ code, reason, count }) => {
    const text =
      code !== undefined && isRejectionCode(code) ? describeReason(code, DEFAULT_LANG) : reason;
    return reasons.length > 1 && count > 1 ? `${text} (${count})` : text;
  });

  if (reasons.length > MAX_NAMED_REASONS) texts.push('…');
  return texts.join('; ');
}

const isRejectionCode = (code: string): code is RejectionCode =>
  (REJECTION_CODES as readonly string[]).includes(code);
