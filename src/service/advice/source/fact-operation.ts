import type { z } from 'zod/v3';
import type { ComposedCall } from '../../../operation/call.ts';
import type { FactSource } from '../../../operation/fact-source.ts';
import { operation } from '../../../operation/operation.ts';
import { StoreFacts } from './store-facts.ts';

type Definition<Name extends string, I extends z.AnyZodObject, O extends z.ZodTypeAny> = Omit<
  Parameters<typeof operation<Name, I, O, unknown>>[0],
  'run' | 'facts'
> & {
  readonly name: Name;
  readonly input: I;
  readonly output: O;
  readonly facts: {
    readonly reads: readonly (keyof FactSource)[];
    answer(call: ComposedCall, input: z.output<I>, facts: FactSource): Promise<z.input<O>>;
  };
};

/** An operation that answers from the facts of the store, or of a service elsewhere. */
export const factOperation = <
  const Name extends string,
  I extends z.AnyZodObject,
  O extends z.ZodTypeAny,
>(
  definition: Definition<Name, I, O>,
) =>
  operation<Name, I, O, unknown>({
    ...definition,
    run: (call, input) => definition.facts.answer(call, input, new StoreFacts(call)),
  });
