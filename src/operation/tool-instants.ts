import type { z } from 'zod';
import type { Lang } from '../domain/lang.ts';
import { civilAt } from '../domain/zone.ts';
import { invalidInput } from '../schema/error.ts';
import { fieldMetadata } from '../schema/field.ts';
import { quote } from './names.ts';
import { type AnyOperation, defaultErrorCode } from './operation.ts';
import { parseEndInstant, parseInstant } from './plain-words.ts';
import { corePhrases, formatUtcOffset } from './say-time.ts';
import { toolArgumentName } from './tool-names.ts';

/**
 * An instant as a person gave it, as ISO 8601 UTC. `startedAt` (ms, NaN where there is none) is the start that it ends.
 * What is told when the local time lay in a gap or a fold goes to `remarks`.
 */
export function readToolInstant(
  operation: AnyOperation,
  name: string,
  text: string,
  { zone, now, lang, startedAt }: { zone: string; now: number; lang: Lang; startedAt: number },
  notes: string[],
): string {
  const facts = fieldMetadata((operation.input.shape as z.ZodRawShape)[name]!);
  const read = Number.isNaN(startedAt)
    ? parseInstant(text, zone, now, facts.kind === 'bound' ? { dateAlone: 'start' } : {})
    : parseEndInstant(text, zone, now, startedAt);
  if ('refused' in read)
    throw invalidInput(
      facts.code ?? defaultErrorCode(operation, name),
      `${toolArgumentName(name)} ${quote(text)} cannot be read: ${read.refused}.`,
      {
        hint: 'Give date and hour in local time, such as "2026-07-01 06:00", "today 6:00" or "20 minutes ago"; ask for what was not said.',
        field: toolArgumentName(name),
      },
    );
  if (read.resolution === 'gap' || read.resolution === 'fold') {
    const local = civilAt(read.at, zone);
    const clock = `${String(local.hour).padStart(2, '0')}:${String(local.minute).padStart(2, '0')} (${formatUtcOffset(local.offsetMinutes)})`;
    const { inGap, inFold } = corePhrases(lang);
    notes.push((read.resolution === 'gap' ? inGap : inFold)(quote(text), clock));
  }
  return new Date(read.at).toISOString();
}

/** A point's instant is a figure in ms: who gives it in words is told which. */
export function refusePointInWords(name: string, value: unknown, { zone, now }: { zone: string; now: number }): void {
  const text = Array.isArray(value) ? value[0] : null;
  if (typeof text !== 'string') return;
  const read = parseInstant(text, zone, now);
  if ('refused' in read) return;
  throw invalidInput(
    'invalid_body',
    `${name}.0 ${quote(text)} is not right: an instant in ms since 1970 UTC is needed.`,
    {
      hint: `That instant is ${read.at}: pass [${read.at}, value].`,
      field: name,
    },
  );
}
