/** RFC 2606 keeps "invalid" free: no mail arrives there, and nobody can have such an address. */
const ERASED_DOMAIN = '@erased.invalid';

export const FORMER_MEMBER = 'former member';

/** What stands in place of an erased member, to whom other rows still refer. */
export const formerMember = (id: number) =>
  ({
    name: FORMER_MEMBER,
    email: `former-member-${id}${ERASED_DOMAIN}`,
    role: 'VIEWER',
  }) as const;

export const isFormerMember = ({ email }: { readonly email: string }): boolean =>
  email.endsWith(ERASED_DOMAIN);
