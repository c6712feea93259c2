import type { z } from 'zod';
import { refuse } from '../schema/error.ts';
import { factsOf } from '../schema/field.ts';
import { type Quantity, readAmount } from './amount-words.ts';
import { quoted } from './names.ts';
import { type AnyOperation, codeOfPlace } from './operation.ts';
import { toolName } from './tool-names.ts';

/** What the arguments measure that a person may give in words. */
const QUANTITIES: Record<string, Quantity> = {
  durationMin: 'time',
  inputDepthMm: 'depth',
  inputVolumeM3: 'volume',
};

/** An amount as a person gave it ("1h20", "12 mm"), in the unit of its argument; what is no text stays as it is. */
export function toolAmount(described: AnyOperation, name: string, value: unknown): unknown {
  const quantity = QUANTITIES[name];
  if (quantity === undefined || typeof value !== 'string' || value.trim() === '') return value;
  const read = readAmount(value, quantity);
  if (!('refused' in read)) return read.amount;
  const { code, hint } = factsOf((described.input.shape as z.ZodRawShape)[name]!);
  throw refuse(
    code ?? codeOfPlace(described, name),
    `${toolName(name)} ${quoted(value)} cannot be read: ${read.refused}.`,
    {
      ...(hint === null ? {} : { hint }),
      field: toolName(name),
    },
  );
}
