import type { BrowserContext } from 'playwright-core';
import { chooseCompany } from '../../../src/service/company/company.ts';
import { resolveMember } from '../../../src/service/keys/members.ts';
import { endSession } from '../../../src/service/keys/sessions.ts';
import { createSignInLink, signInAddress } from '../../../src/service/keys/sign-in.ts';
import { rowsOf, withSecondStore } from '../../stores/stores.ts';
import { CLOCK } from '../program.ts';
import type { RestRequestOptions, RestResponse, RestService } from '../rest-service.ts';

const PAGE = { 'acequia-page': '1' };

/** As `acequia keys link`, without a process. `at`: by the clock of the service. */
export const newLink = (
  { db, base }: Pick<RestService, 'db' | 'base'>,
  {
    user,
    company: name,
    at = Date.parse(CLOCK),
  }: { user?: string; company?: string; at?: number } = {},
): Promise<string> =>
  withSecondStore(db, async (store) => {
    const company = await chooseCompany(store, name);
    const { secret } = await store.write(company.id, async (all) =>
      createSignInLink(all, (await resolveMember(all, company, user)).id, at),
    );
    return signInAddress(new URL(base), secret);
  });

export const redeemSignInLink = (
  service: RestService,
  link: string,
  headers: Record<string, string> = {},
) =>
  fetch(new URL('/sign-in', service.base), {
    method: 'POST',
    headers: { ...PAGE, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ link: new URL(link).hash.slice(1) }),
  });

export interface Session {
  readonly cookie: string;
  request(method: string, path: string, options?: RestRequestOptions): Promise<RestResponse>;
}

/** Signs in without a browser, and sends what the page sends. */
export async function signInTo(service: RestService, link: string): Promise<Session> {
  const answer = await redeemSignInLink(service, link);
  if (answer.status !== 204) throw new Error(`${answer.status}: ${await answer.text()}`);
  const cookie = answer.headers.getSetCookie()[0]!.split(';')[0]!;
  return {
    cookie,
    request: (method, path, { headers, ...options } = {}) =>
      service.request(method, path, { ...options, headers: { ...PAGE, cookie, ...headers } }),
  };
}

/** Signs a browser in without a page; `home`: where it opens the service. */
export async function addSession(
  context: BrowserContext,
  service: RestService,
  link: string,
  home = service.base,
) {
  const [name, value] = (await signInTo(service, link)).cookie.split('=') as [string, string];
  await context.addCookies([{ name, value, url: home, httpOnly: true, sameSite: 'Lax' }]);
}

/** As `acequia keys sign-out`, without a process. */
export async function endNewestSession(db: string): Promise<void> {
  const [newest] = await rowsOf<{ id: number }>(db, 'select max(id) as id from sessions');
  await withSecondStore(db, (store) => endSession(store, newest!.id, Date.parse(CLOCK)));
}
