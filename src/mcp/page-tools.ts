import { z } from 'zod/v3';
import { operations } from '../../tools/index.ts';
import { toolFields } from '../operation/arguments/tool-fields.ts';
import type { AnyOperation } from '../operation/operation.ts';
import { toolNameOf } from '../operation/operation-fields.ts';

/**
 * How an operation is called as a tool, where that differs from REST: for the page in a chat, which
 * only has the tools.
 */
interface PageTools {
  /**
   * The argument of the tool in place of a field with an id; it takes the id with `#` before it.
   */
  readonly references: Readonly<Record<string, string>>;
  /** The tool by operation, where it has another name. */
  readonly names: Readonly<Record<string, string>>;
  /** REST defaults by operation and argument, where assistants have another default. */
  readonly defaults: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Operations whose tool empties fields by naming them in `clear`, where REST sends null. */
  readonly clearing: readonly string[];
  /** By operation whose body may be null, the field of the tool's answer that holds the body. */
  readonly wraps: Readonly<Record<string, string>>;
}

export function pageTools(): PageTools {
  const references: Record<string, string> = {};
  const names: Record<string, string> = {};
  const defaults: Record<string, Readonly<Record<string, unknown>>> = {};
  const clearing: string[] = [];
  const wraps: Record<string, string> = {};

  for (const operation of operations) {
    const { name, tool } = operation;
    const { byArgument, clearable } = toolFields(operation);
    for (const field of byArgument.values())
      if (field.argument !== field.name) references[field.name] = field.argument;

    if (tool?.name) names[name] = toolNameOf(operation);
    const restDefaults = restDefaultsOf(operation);
    if (Object.keys(restDefaults).length > 0) defaults[name] = restDefaults;
    if (clearable.length > 0) clearing.push(name);
    if (tool?.wrapBodyAs) wraps[name] = tool.wrapBodyAs;
  }

  return { references, names, defaults, clearing, wraps };
}

const restDefaultsOf = (operation: AnyOperation): Record<string, unknown> =>
  Object.fromEntries(
    [...toolFields(operation).byArgument.values()].flatMap(({ name, argument, schema }) => {
      const hasOtherDefault = operation.tool?.defaults?.[name] !== undefined;
      if (!hasOtherDefault || !(schema instanceof z.ZodDefault)) return [];
      return [[argument, schema._def.defaultValue()]];
    }),
  );
