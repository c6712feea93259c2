import type { TextOrString } from '../domain/text/text.ts';
import { shieldQuantities, withUsUnitsOutsideQuotes } from '../language/american-units.ts';
import type { SummaryContext } from '../language/summary-context.ts';
import { AcequiaError } from '../schema/error.ts';

type Units = Pick<SummaryContext, 'units' | 'directory'>;

/**
 * The refusal with the quantities of its strings in the units of the farm. Names of the farm stay as
 * they are.
 */
export async function refusalInUnits(
  error: AcequiaError,
  readContext: () => Promise<Units>,
): Promise<AcequiaError> {
  const text = Object.values(error.texts).filter(isString).join(' ');
  if (withUsUnitsOutsideQuotes(text) === text) return error;

  // Where the company cannot be read, that is the refusal.
  const context = await readContext().catch(() => null);
  return context?.units === 'us' ? withUnits(error, context) : error;
}

const isString = (text: TextOrString | undefined): text is string => typeof text === 'string';

async function withUnits(error: AcequiaError, { directory }: Units): Promise<AcequiaError> {
  const named = [...(await directory.modules()), ...(await directory.parcels())];
  const names = named.flatMap(({ name }) =>
    name !== null && shieldQuantities(name) !== name ? name : [],
  );
  const inUnits = (text: string): string =>
    withUsUnitsOutsideQuotes(
      names.reduce((shielded, name) => shielded.replaceAll(name, shieldQuantities(name)), text),
    );

  const { message, hint } = error.texts;
  return new AcequiaError(
    {
      ...error.toJSON(),
      message: isString(message) ? inUnits(message) : message,
      hint: isString(hint) ? inUnits(hint) : hint,
    },
    error.candidates,
  );
}
