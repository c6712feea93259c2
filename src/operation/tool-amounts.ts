import type { z } from 'zod';
import { invalidInput } from '../schema/error.ts';
import { fieldMetadata } from '../schema/field.ts';
import { parseAmount, type Quantity } from './amount-words.ts';
import { quote } from './names.ts';
import { type AnyOperation, defaultErrorCode } from './operation.ts';
import { toolArgumentName } from './tool-names.ts';

/** What the arguments measure that a person may give in words. */
const ARGUMENT_QUANTITIES: Record<string, Quantity> = {
  durationMin: 'time',
  inputDepthMm: 'depth',
  inputVolumeM3: 'volume',
};

/** An amount as a person gave it ("1h20", "12 mm"), in the unit of its argument; what is no text stays as it is. */
export function readToolAmount(operation: AnyOperation, name: string, value: unknown): unknown {
  const quantity = ARGUMENT_QUANTITIES[name];
  if (quantity === undefined || typeof value !== 'string' || value.trim() === '') return value;
  const read = parseAmount(value, quantity);
  if (!('refused' in read)) return read.amount;
  const { code, hint } = fieldMetadata((operation.input.shape as z.ZodRawShape)[name]!);
  throw invalidInput(
    code ?? defaultErrorCode(operation, name),
    `${toolArgumentName(name)} ${quote(value)} cannot be read: ${read.refused}.`,
    {
      ...(hint === null ? {} : { hint }),
      field: toolArgumentName(name),
    },
  );
}
