import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod/v3';
import { LANGS, type Lang } from '../../domain/lang.ts';
import type { Identity } from '../../operation/authorization.ts';
import { invalidInputError } from '../../schema/error.ts';
import {
  describeLink,
  endSession,
  signIn,
  signInNeededError,
} from '../../service/keys/sessions.ts';
import { agreeToPush, langOfPush, pushKeys } from '../../service/mail/push.ts';
import { allUsers } from '../../store/company/companies.ts';
import { pushOf, setPush } from '../../store/keys/sessions.ts';
import { type Admit, addressOf, tokenBuckets } from '../admission.ts';
import { jsonReply, type ResponseHeaders } from '../reply.ts';
import { readJson } from '../request-body.ts';
import type { RestOptions } from '../rest-endpoint.ts';
import { type Route, type RouteHandler, staticReply } from '../router.ts';
import {
  PAGE_HEADER,
  type PageAccess,
  pageHeaderNeededError,
  sessionCookieHeader,
} from './page-access.ts';
import { EVENT_STREAM, type PageEvents } from './page-events.ts';
import { deviceName, SIGN_IN_SCRIPT_HASH, SIGN_IN_STYLE_HASH, signInPage } from './sign-in-page.ts';

export interface PageOptions {
  /** Build output: page.html, page.json and page/. */
  readonly folder: URL;
  readonly access: PageAccess;
  readonly events: PageEvents;
}

const TYPES: Readonly<Record<string, string>> = {
  'manifest.webmanifest': 'application/manifest+json',
  'sw.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'icon-180.png': 'image/png',
  'icon-192.png': 'image/png',
  'icon-512.png': 'image/png',
  'icon-maskable-512.png': 'image/png',
};

/** For the page in a browser tab; in a chat there is nothing to install. */
const INSTALL_LINKS = `<link rel="manifest" href="manifest.webmanifest"><link rel="icon" type="image/svg+xml" href="icon.svg"><link rel="apple-touch-icon" href="icon-180.png">`;

const HTML = 'text/html; charset=utf-8';

type Routes = [path: string, methods: Readonly<Record<string, Route>>][];

export function pageRoutes(
  { folder, access, events }: PageOptions,
  { store, clock, limits, lang }: Pick<RestOptions, 'store' | 'clock' | 'limits' | 'lang'>,
  admit: Admit,
): Routes {
  const buckets = tokenBuckets(limits.rate, limits.burst);

  const assertPage = (incoming: IncomingMessage): void => {
    if (!access.isPageRequest(incoming)) throw pageHeaderNeededError();
  };

  const identityOf = async (
    incoming: IncomingMessage,
    headers: ResponseHeaders,
  ): Promise<Identity> => {
    assertPage(incoming);
    const { identify } = await admit(
      { incoming, acceptsBearerKeys: false, acceptsSessions: true },
      headers,
    );
    return store.readAll(identify);
  };

  /** Limited by address, because secrets could be guessed. */
  const readLink = async (incoming: IncomingMessage, headers: ResponseHeaders): Promise<string> => {
    assertPage(incoming);
    buckets.take(addressOf(incoming), headers);
    return parseBody(await readJson(incoming, limits)).link;
  };

  const describe: RouteHandler = async (headers, { env: { incoming } }) => {
    const owner = await describeLink(store, await readLink(incoming, headers), clock());
    return jsonReply(200, owner);
  };

  const openSession: RouteHandler = async (headers, { env: { incoming } }) => {
    const link = await readLink(incoming, headers);
    const device = deviceName(incoming.headers['user-agent']);
    const replaced = access.sessionOf(incoming).secret;
    const { secret, maxAgeMs } = await signIn(store, link, { device, now: clock(), replaced });

    headers['Set-Cookie'] = sessionCookieHeader(incoming, {
      value: secret,
      maxAgeMs,
      isSecure: access.isSecure(incoming),
    });

    return { status: 204, type: null, content: null };
  };

  const closeSession: RouteHandler = async (headers, { env: { incoming } }) => {
    const { sessionId } = await identityOf(incoming, headers);
    if (sessionId !== undefined) await endSession(store, sessionId, clock());
    headers['Set-Cookie'] = sessionCookieHeader(incoming, {
      value: '',
      maxAgeMs: 0,
      isSecure: access.isSecure(incoming),
    });
    return { status: 204, type: null, content: null };
  };

  const eventStream: RouteHandler = async (headers, { req, env: { incoming } }) => {
    const identity = await identityOf(incoming, headers);
    if (identity.sessionId === undefined) throw signInNeededError();
    // Proxies must not buffer it.
    headers['X-Accel-Buffering'] = 'no';
    if (req.method === 'HEAD') return { status: 200, type: EVENT_STREAM, content: null };
    return events.open(identity, req.raw.signal);
  };

  /** For requests of a device whose owner has signed in. */
  const sessionHandler =
    (
      answer: (
        sessionId: number,
        incoming: IncomingMessage,
        identity: Identity,
      ) => Promise<unknown>,
    ): RouteHandler =>
    async (headers, { env: { incoming } }) => {
      const identity = await identityOf(incoming, headers);
      if (identity.sessionId === undefined) throw signInNeededError();
      const body = await answer(identity.sessionId, incoming, identity);
      if (body === undefined) return { status: 204, type: null, content: null };
      return jsonReply(200, body);
    };

  const device = sessionHandler(async (sessionId, _, { caller, company }) => {
    const users = await store.read(company.id, allUsers);
    const push = await store.readAll((all) => pushOf(all, sessionId));
    return {
      email: users.find(({ id }) => id === caller.userId)?.email ?? null,
      pushKey: (await pushKeys(store)).publicKey,
      hasPush: push !== null,
      pushLang: push === null ? null : langOfPush(push),
    };
  });

  const startPush = sessionHandler(async (sessionId, incoming) =>
    agreeToPush(store, sessionId, await readJson(incoming, limits)),
  );
  const endPush = sessionHandler((sessionId) =>
    store.writeUnlocked((all) => setPush(all, sessionId, null)),
  );

  const confirmPages = new Map(
    LANGS.map((each) => [each, staticReply(signInPage(each), HTML, SIGN_IN_HEADERS)]),
  );

  const confirmPage: RouteHandler = (headers, context, trace) => {
    headers.Vary = 'Accept-Language';
    const reply = confirmPages.get(
      preferredLang(context.req.header('accept-language')) ?? lang ?? 'en',
    )!;
    return reply(headers, context, trace);
  };

  const route = (handler: RouteHandler): Route => ({ operation: null, handler });

  return [
    ['/', { GET: route(livePage(folder)) }],
    ['/sign-in', { GET: route(confirmPage), POST: route(openSession) }],
    ['/sign-in/link', { POST: route(describe) }],
    ['/page/device', { GET: route(device) }],
    ['/page/push', { PUT: route(startPush), DELETE: route(endPush) }],
    ['/page/events', { GET: route(eventStream) }],
    ['/sign-out', { POST: route(closeSession) }],
    ...Object.entries(TYPES).map(([name, type]): Routes[number] => [
      `/${name}`,
      {
        GET: route(staticReply(readFileSync(new URL(`page/${name}`, folder)), type, FILE_HEADERS)),
      },
    ]),
  ];
}

/** A directive that `sources` does not name allows nothing. */
const contentPolicy = (sources: Readonly<Record<string, string>>): string =>
  Object.entries({
    'default-src': "'none'",
    ...sources,
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
  })
    .map(([directive, source]) => `${directive} ${source}`)
    .join('; ');

const pageHeaders = (policy: Readonly<Record<string, string>>): ResponseHeaders => ({
  'Content-Security-Policy': contentPolicy({ 'form-action': "'none'", ...policy }),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
});

const FILE_HEADERS = pageHeaders({ 'connect-src': "'self'" });

const SIGN_IN_HEADERS = pageHeaders({
  'script-src': `'${SIGN_IN_SCRIPT_HASH}'`,
  'style-src': `'${SIGN_IN_STYLE_HASH}'`,
  'connect-src': "'self'",
});

function livePage(folder: URL): RouteHandler {
  const { script, style } = JSON.parse(readFileSync(new URL('page.json', folder), 'utf8'));
  const html = readFileSync(new URL('page.html', folder), 'utf8').replace(
    '<!-- head -->',
    INSTALL_LINKS,
  );

  return staticReply(html, HTML, {
    ...pageHeaders({
      'script-src': `'${script}'`,
      'style-src': `'${style}'`,
      'connect-src': "'self'",
      'img-src': "'self' data:",
      'manifest-src': "'self'",
      'worker-src': "'self'",
    }),
    // The service worker stores no page without it.
    [PAGE_HEADER]: '1',
  });
}

const signInBody = z.strictObject({ link: z.string().max(200) });

function parseBody(body: unknown): z.output<typeof signInBody> {
  const parsed = signInBody.safeParse(body);
  if (parsed.success) return parsed.data;
  throw invalidInputError('invalid_body', 'The body is not a sign-in link.', {
    hint: 'Open the link in a browser.',
  });
}

/** The first of the browser's languages that Acequia has. */
const preferredLang = (accepted: string | undefined): Lang | undefined =>
  (accepted ?? '')
    .split(',')
    .map((range) => LANGS.find((lang) => lang === range.trim().slice(0, 2).toLowerCase()))
    .find((lang) => lang !== undefined);
