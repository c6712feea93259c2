import { z } from 'zod/v3';
import { operations } from '../../tools/index.ts';
import {
  type AnyOperation,
  clearableFields,
  toolArgumentName,
  toolFields,
  toolNameOf,
} from '../operation/operation.ts';

/** How an operation is called as a tool, where that differs from REST: for the page in a chat, which only has the tools. */
export interface PageTools {
  /** Arguments by field; each takes `#` with the id. */
  readonly references: Readonly<Record<string, string>>;
  /** Tools by operation. */
  readonly names: Readonly<Record<string, string>>;
  /** Arguments by operation, whose default for assistants is another than for REST. */
  readonly defaults: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Operations that empty a field named in `clear`. */
  readonly clearing: readonly string[];
  /** The field of a body that may be null. */
  readonly wraps: Readonly<Record<string, string>>;
}

export function pageTools(): PageTools {
  const renamed = operations.flatMap((operation) =>
    toolFields(operation)
      .map(([field]) => [field, toolArgumentName(operation, field)] as const)
      .filter(([field, argument]) => argument !== field),
  );
  return {
    references: Object.fromEntries(renamed),
    names: Object.fromEntries(operations.flatMap((each) => (each.tool ? [[each.name, toolNameOf(each)]] : []))),
    defaults: Object.fromEntries(
      operations.flatMap((operation) => {
        const defaults = restDefaults(operation);
        return Object.keys(defaults).length === 0 ? [] : [[operation.name, defaults]];
      }),
    ),
    clearing: operations.filter((each) => clearableFields(each).length > 0).map(({ name }) => name),
    wraps: Object.fromEntries(operations.flatMap(({ name, wrap }) => (wrap ? [[name, wrap]] : []))),
  };
}

const restDefaults = (operation: AnyOperation): Record<string, unknown> =>
  Object.fromEntries(
    toolFields(operation).flatMap(([name, schema]) => {
      const isOther = operation.toolDefaults?.[name] !== undefined && schema instanceof z.ZodDefault;
      return isOther ? [[toolArgumentName(operation, name), schema._def.defaultValue()]] : [];
    }),
  );
