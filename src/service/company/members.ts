import { isSameAddress } from '../../domain/company/mail-address.ts';
import { quote } from '../../domain/text.ts';
import { invalidInputError } from '../../schema/error.ts';

/**
 * What an address grants needs exactly one member: throws if two have it. `hint` says how to go on.
 */
export function memberWithAddress<Member extends { readonly id: number; readonly email: string }>(
  members: readonly Member[],
  address: string,
  hint: string,
): Member | undefined {
  const found = members.filter(({ email }) => isSameAddress(email, address));
  const [first, ...others] = found;
  if (others.length === 0) return first;

  throw invalidInputError(
    'AMBIGUOUS_NAME',
    `Several members have the address ${quote(address)}: ${found.map(({ id }) => `#${id}`).join(', ')}.`,
    { hint },
  );
}
