import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod/v3';
import { entryOf } from '../../domain/items.ts';
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
import { type Admit, addressOf } from '../admission/admission.ts';
import { TokenBuckets } from '../admission/rate-limit.ts';
import { readJson } from '../body/json-body.ts';
import { jsonReply, type ResponseHeaders } from '../reply.ts';
import type { RestOptions } from '../rest/rest-endpoint.ts';
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

type PageSetting = Pick<RestOptions, 'store' | 'clock' | 'limits' | 'lang'>;

export function pageRoutes(options: PageOptions, setting: PageSetting, admit: Admit): Routes {
  const signIn = new SignInRoutes(options.access, setting);
  const devices = new DeviceRoutes(options, setting, admit);
  const route = (handler: RouteHandler): Route => ({ operation: null, handler });

  return [
    ['/', { GET: route(livePage(options.folder)) }],
    ['/sign-in', { GET: route(signIn.page), POST: route(signIn.openSession) }],
    ['/sign-in/link', { POST: route(signIn.describeLink) }],
    ['/page/device', { GET: route(devices.describe) }],
    ['/page/push', { PUT: route(devices.startPush), DELETE: route(devices.endPush) }],
    ['/page/events', { GET: route(devices.eventStream) }],
    ['/sign-out', { POST: route(devices.closeSession) }],
    ...Object.entries(TYPES).map(([name, type]): Routes[number] => [
      `/${name}`,
      { GET: route(pageFile(options.folder, name, type)) },
    ]),
  ];
}

const NO_CONTENT = { status: 204, type: null, content: null } as const;

function requirePage(access: PageAccess, incoming: IncomingMessage): void {
  if (!access.isPageRequest(incoming)) throw pageHeaderNeededError();
}

const sessionCookie = (
  access: PageAccess,
  incoming: IncomingMessage,
  { value, maxAgeMs }: { readonly value: string; readonly maxAgeMs: number },
): string =>
  sessionCookieHeader(incoming, { value, maxAgeMs, isSecure: access.isSecure(incoming) });

/** For people who have a link, and no session yet. */
class SignInRoutes {
  readonly #access: PageAccess;
  readonly #setting: PageSetting;
  readonly #buckets: TokenBuckets;
  readonly #pages = new Map(
    LANGS.map((lang) => [lang, staticReply(signInPage(lang), HTML, SIGN_IN_HEADERS)]),
  );

  constructor(access: PageAccess, setting: PageSetting) {
    this.#access = access;
    this.#setting = setting;
    this.#buckets = new TokenBuckets(setting.limits);
  }

  readonly page: RouteHandler = (headers, context, trace) => {
    const preferred = preferredLang(context.req.header('accept-language'));
    const reply = entryOf(this.#pages, preferred ?? this.#setting.lang ?? 'en');
    headers.Vary = 'Accept-Language';
    return reply(headers, context, trace);
  };

  readonly describeLink: RouteHandler = async (headers, { env: { incoming } }) => {
    const { store, clock } = this.#setting;
    const link = await this.#readLink(incoming, headers);
    return jsonReply(200, await describeLink(store, link, clock()));
  };

  readonly openSession: RouteHandler = async (headers, { env: { incoming } }) => {
    const { store, clock } = this.#setting;
    const link = await this.#readLink(incoming, headers);
    const device = deviceName(incoming.headers['user-agent']);
    const replaced = this.#access.sessionOf(incoming).secret;

    const { secret, maxAgeMs } = await signIn(store, link, { device, now: clock(), replaced });
    headers['Set-Cookie'] = sessionCookie(this.#access, incoming, { value: secret, maxAgeMs });
    return NO_CONTENT;
  };

  /** Limited by address, because secrets could be guessed. */
  async #readLink(incoming: IncomingMessage, headers: ResponseHeaders): Promise<string> {
    requirePage(this.#access, incoming);
    this.#buckets.take(addressOf(incoming), headers);
    return parseBody(await readJson(incoming, this.#setting.limits)).link;
  }
}

/** Of the person who signed in on a device. */
type SessionIdentity = Identity & { readonly sessionId: number };

/** For devices whose owners have signed in. */
class DeviceRoutes {
  readonly #access: PageAccess;
  readonly #events: PageEvents;
  readonly #setting: PageSetting;
  readonly #admit: Admit;

  constructor({ access, events }: PageOptions, setting: PageSetting, admit: Admit) {
    this.#access = access;
    this.#events = events;
    this.#setting = setting;
    this.#admit = admit;
  }

  readonly closeSession: RouteHandler = async (headers, { env: { incoming } }) => {
    const { store, clock } = this.#setting;
    const { sessionId } = await this.#identityOf(incoming, headers);
    if (sessionId !== undefined) await endSession(store, sessionId, clock());

    headers['Set-Cookie'] = sessionCookie(this.#access, incoming, { value: '', maxAgeMs: 0 });
    return NO_CONTENT;
  };

  readonly eventStream: RouteHandler = async (headers, { req, env: { incoming } }) => {
    const identity = await this.#signedIn(incoming, headers);
    // Proxies must not buffer it.
    headers['X-Accel-Buffering'] = 'no';
    if (req.method === 'HEAD') return { status: 200, type: EVENT_STREAM, content: null };
    return this.#events.open(identity, req.raw.signal);
  };

  readonly describe: RouteHandler = async (headers, { env: { incoming } }) => {
    const { store } = this.#setting;
    const { sessionId, caller, company } = await this.#signedIn(incoming, headers);
    const users = await store.read(company.id, allUsers);
    const push = await store.readAll((all) => pushOf(all, sessionId));

    return jsonReply(200, {
      email: users.find(({ id }) => id === caller.userId)?.email ?? null,
      pushKey: (await pushKeys(store)).publicKey,
      hasPush: push !== null,
      pushLang: push === null ? null : langOfPush(push),
    });
  };

  readonly startPush: RouteHandler = async (headers, { env: { incoming } }) => {
    const { store, limits } = this.#setting;
    const { sessionId } = await this.#signedIn(incoming, headers);
    await agreeToPush(store, sessionId, await readJson(incoming, limits));
    return NO_CONTENT;
  };

  readonly endPush: RouteHandler = async (headers, { env: { incoming } }) => {
    const { sessionId } = await this.#signedIn(incoming, headers);
    await this.#setting.store.writeUnlocked((all) => setPush(all, sessionId, null));
    return NO_CONTENT;
  };

  async #signedIn(incoming: IncomingMessage, headers: ResponseHeaders): Promise<SessionIdentity> {
    const identity = await this.#identityOf(incoming, headers);
    const { sessionId } = identity;
    if (sessionId === undefined) throw signInNeededError();
    return { ...identity, sessionId };
  }

  async #identityOf(incoming: IncomingMessage, headers: ResponseHeaders): Promise<Identity> {
    requirePage(this.#access, incoming);
    const admission = { incoming, acceptsBearerKeys: false, acceptsSessions: true };
    const { identify } = await this.#admit(admission, headers);
    return this.#setting.store.readAll(identify);
  }
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

const pageFile = (folder: URL, name: string, type: string): RouteHandler =>
  staticReply(readFileSync(new URL(`page/${name}`, folder)), type, FILE_HEADERS);

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
