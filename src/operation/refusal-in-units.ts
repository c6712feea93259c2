import { shieldQuantities, withUsUnitsOutsideQuotes } from '../language/american-units.ts';
import type { SummaryContext } from '../language/summary-context.ts';
import { AcequiaError } from '../schema/error.ts';

type Units = Pick<SummaryContext, 'units' | 'directory'>;

/** The refusal with its quantities in the units of the farm. Names of the farm stay as they are. */
export async function refusalInUnits(
  error: AcequiaError,
  readContext: () => Promise<Units>,
): Promise<AcequiaError> {
  const text = `${error.message} ${error.hint ?? ''}`;
  if (withUsUnitsOutsideQuotes(text) === text) return error;

  // Where the company cannot be read, that is the refusal.
  const context = await readContext().catch(() => null);
  return context?.units === 'us' ? withUnits(error, context) : error;
}

async function withUnits(error: AcequiaError, { directory }: Units): Promise<AcequiaError> {
  const named = [...(await directory.modules()), ...(await directory.parcels())];
  const names = named.flatMap(({ name }) =>
    name !== null && shieldQuantities(name) !== name ? name : [],
  );
  const inUnits = (text: string): string =>
    withUsUnitsOutsideQuotes(
      names.reduce((shielded, name) => shielded.replaceAll(name, shieldQuantities(name)), text),
    );

  const { hint } = error;
  return new AcequiaError(
    { ...error.toJSON(), message: inUnits(error.message), hint: hint && inUnits(hint) },
    error.candidates,
  );
}
