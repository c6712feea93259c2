import type { z } from 'zod';
import { acceptsNull, fieldMetadata } from '../schema/field.ts';
import type { AnyOperation } from './operation.ts';

type WithInput = Pick<AnyOperation, 'input'>;

export function inputFields({ input }: WithInput): [name: string, schema: z.ZodTypeAny][] {
  const shape: z.ZodRawShape = input.shape;
  return Object.entries(shape);
}

export function inputField({ input }: WithInput, name: string): z.ZodTypeAny | undefined {
  const shape: z.ZodRawShape = input.shape;
  return Object.hasOwn(shape, name) ? shape[name] : undefined;
}

export const toolFields = (operation: WithInput): [name: string, schema: z.ZodTypeAny][] =>
  inputFields(operation).filter(([, schema]) => !fieldMetadata(schema).restOnly);

export function toolArgumentName(operation: WithInput, name: string): string {
  const schema = inputField(operation, name);
  return (schema && fieldMetadata(schema).argument) ?? name;
}

export const clearableFields = (operation: AnyOperation): string[] =>
  operation.effect !== 'update'
    ? []
    : toolFields(operation)
        .filter(([, schema]) => acceptsNull(schema))
        .map(([name]) => name);
