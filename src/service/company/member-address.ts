import { isSameAddress } from '../../domain/company/mail-address.ts';
import { commaSeparated, quotedName, say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { invalidInputError } from '../../schema/error.ts';

/**
 * The rights of an address need exactly one member: throws if two have it. `hint` says how to go
 * on.
 */
export function memberWithAddress<Member extends { readonly id: number; readonly email: string }>(
  members: readonly Member[],
  address: string,
  hint: Text,
): Member | undefined {
  const found = members.filter(({ email }) => isSameAddress(email, address));
  const [first, ...others] = found;
  if (others.length === 0) return first;

  throw invalidInputError(
    'AMBIGUOUS_NAME',
    say`Several members have the address ${quotedName(address)}: ${commaSeparated(found.map(({ id }) => say`#${id}`))}.`,
    { hint },
  );
}
