import type { z } from 'zod';
import type { Lang } from '../domain/lang.ts';
import { civilAt } from '../domain/zone.ts';
import { refuse } from '../schema/error.ts';
import { factsOf } from '../schema/field.ts';
import { quoted } from './names.ts';
import { type AnyOperation, codeOfPlace } from './operation.ts';
import { readEnd, readWhen } from './plain-words.ts';
import { sayingWords, sayOffset } from './say-time.ts';
import { toolName } from './tool-names.ts';

/**
 * An instant as a person gave it, as ISO 8601 UTC. `startedAt` (ms, NaN where there is none) is the start that it ends.
 * What is told when the local time lay in a gap or a fold goes to `remarks`.
 */
export function toolInstant(
  described: AnyOperation,
  name: string,
  text: string,
  { zone, now, lang, startedAt }: { zone: string; now: number; lang: Lang; startedAt: number },
  remarks: string[],
): string {
  const facts = factsOf((described.input.shape as z.ZodRawShape)[name]!);
  const read = Number.isNaN(startedAt)
    ? readWhen(text, zone, now, facts.kind === 'bound' ? { dateAlone: 'start' } : {})
    : readEnd(text, zone, now, startedAt);
  if ('refused' in read)
    throw refuse(
      facts.code ?? codeOfPlace(described, name),
      `${toolName(name)} ${quoted(text)} cannot be read: ${read.refused}.`,
      {
        hint: 'Give date and hour in local time, such as "2026-07-01 06:00", "today 6:00" or "20 minutes ago"; ask for what was not said.',
        field: toolName(name),
      },
    );
  if (read.resolution === 'gap' || read.resolution === 'fold') {
    const local = civilAt(read.at, zone);
    const clock = `${String(local.hour).padStart(2, '0')}:${String(local.minute).padStart(2, '0')} (${sayOffset(local.offsetMinutes)})`;
    const { inGap, inFold } = sayingWords(lang);
    remarks.push((read.resolution === 'gap' ? inGap : inFold)(quoted(text), clock));
  }
  return new Date(read.at).toISOString();
}

/** A point's instant is a figure in ms: who gives it in words is told which. */
export function refusePointInWords(name: string, value: unknown, { zone, now }: { zone: string; now: number }): void {
  const said = Array.isArray(value) ? value[0] : null;
  if (typeof said !== 'string') return;
  const read = readWhen(said, zone, now);
  if ('refused' in read) return;
  throw refuse('invalid_body', `${name}.0 ${quoted(said)} is not right: an instant in ms since 1970 UTC is needed.`, {
    hint: `That instant is ${read.at}: pass [${read.at}, value].`,
    field: name,
  });
}
