import { quote } from '../../language/text.ts';
import type { Call } from '../../operation/call.ts';
import type { SignInLinkBody } from '../../schema/company.ts';
import { notFound } from '../../schema/error.ts';
import { toIso } from '../wire-format.ts';
import { findMember, type Member, membersOf, resolveMember } from './key-administration.ts';
import { CHAT_LINK_MS, createSignInLink, signInAddress } from './sessions.ts';

export async function linkForMember(call: Call, { email }: { email?: string | undefined }): Promise<SignInLinkBody> {
  const { db, now, pageUrl } = call;
  const member = await memberFor(call, email);
  const { secret, expiresAt } = await createSignInLink(db, member.id, now, CHAT_LINK_MS);
  return { url: signInAddress(pageUrl, secret), email: member.email, expiresAt: toIso(expiresAt) };
}

/** Default: the OWNER who asks; on the local store, where nobody is named, the first one. */
async function memberFor({ db, company, caller }: Call, email: string | undefined): Promise<Member> {
  if (email === undefined)
    return resolveMember(db, company, caller.userId === null ? undefined : String(caller.userId));
  const member = findMember(await membersOf(db), email);
  if (!member) throw notFound(`The company has no member ${quote(email)}.`, 'See list_users.');
  return member;
}
