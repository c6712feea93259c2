import type { IncomingMessage } from 'node:http';
import { z } from 'zod/v3';
import { entryOf } from '../../domain/items.ts';
import { LANGS, type Lang } from '../../domain/lang.ts';
import { plainInputError } from '../../schema/error.ts';
import { describeLink, signIn } from '../../service/keys/sign-in.ts';
import { addressGroup, addressOf } from '../admission/addresses.ts';
import { TokenBuckets } from '../admission/rate-limit.ts';
import { readJson } from '../body/json-body.ts';
import { jsonReply, NO_CONTENT, type ResponseHeaders } from '../reply.ts';
import { type RouteHandler, staticReply } from '../router.ts';
import type { PageAccess, PageEnvironment } from './page-access.ts';
import { HTML_TYPE, pageHeaders } from './page-files.ts';
import { deviceName, SIGN_IN_SCRIPT_HASH, SIGN_IN_STYLE_HASH, signInPage } from './sign-in-page.ts';

const SIGN_IN_HEADERS = pageHeaders({
  'script-src': `'${SIGN_IN_SCRIPT_HASH}'`,
  'style-src': `'${SIGN_IN_STYLE_HASH}'`,
  'connect-src': "'self'",
});

/** Routes for people who have a sign-in link and no session yet. */
export class SignInRoutes {
  readonly #access: PageAccess;
  readonly #environment: PageEnvironment;
  readonly #buckets: TokenBuckets;
  readonly #pages = new Map(
    LANGS.map((lang) => [lang, staticReply(signInPage(lang), HTML_TYPE, SIGN_IN_HEADERS)]),
  );

  constructor(access: PageAccess, environment: PageEnvironment) {
    this.#access = access;
    this.#environment = environment;
    this.#buckets = new TokenBuckets(environment.limits);
  }

  readonly page: RouteHandler = (headers, context, trace) => {
    const preferred = preferredLang(context.req.header('accept-language'));
    const reply = entryOf(this.#pages, preferred ?? this.#environment.lang ?? 'en');
    headers.Vary = 'Accept-Language';
    return reply(headers, context, trace);
  };

  readonly describeLink: RouteHandler = async (headers, { env: { incoming } }) => {
    const { store, clock } = this.#environment;
    const link = await this.#readLink(incoming, headers);
    return jsonReply(200, await describeLink(store, link, clock()));
  };

  readonly openSession: RouteHandler = async (headers, { env: { incoming } }) => {
    const { store, clock } = this.#environment;
    const link = await this.#readLink(incoming, headers);
    const device = deviceName(incoming.headers['user-agent']);
    const previousSecret = this.#access.sessionOf(incoming).secret;

    const { secret, maxAgeMs } = await signIn(store, link, {
      device,
      now: clock(),
      replaced: previousSecret,
    });
    headers['Set-Cookie'] = this.#access.sessionCookie(incoming, { secret, maxAgeMs });
    return NO_CONTENT;
  };

  /** The number of tries is limited by address, because links could be guessed. */
  async #readLink(incoming: IncomingMessage, headers: ResponseHeaders): Promise<string> {
    this.#access.assertPageRequest(incoming);
    this.#buckets.take(addressGroup(addressOf(incoming)), headers);
    return parseLink(await readJson(incoming, this.#environment.limits));
  }
}

const signInBody = z.strictObject({ link: z.string().max(200) });

function parseLink(body: unknown): string {
  const parsed = signInBody.safeParse(body);
  if (parsed.success) return parsed.data.link;

  throw plainInputError('invalid_body', 'The body is not a sign-in link.', {
    hint: 'Open the link in a browser.',
  });
}

/** The first of the browser's languages that Acequia has. */
const preferredLang = (accepted: string | undefined): Lang | undefined =>
  (accepted ?? '')
    .split(',')
    .map((range) => LANGS.find((lang) => lang === range.trim().slice(0, 2).toLowerCase()))
    .find((lang) => lang !== undefined);
