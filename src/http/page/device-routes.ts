import type { IncomingMessage } from 'node:http';
import type { Identify, Identity } from '../../operation/authorization.ts';
import { endSession, signInNeededError } from '../../service/keys/sessions.ts';
import { langOfPush, pushKeys, savePushSubscription } from '../../service/mail/push.ts';
import { allUsers } from '../../store/company/companies.ts';
import { pushSubscriptionOf, setPushSubscription } from '../../store/keys/sessions.ts';
import type { Store } from '../../store/store.ts';
import type { Admit } from '../admission/admission.ts';
import { sharesOf } from '../admission/request-shares.ts';
import { readJson } from '../body/json-body.ts';
import { jsonReply, NO_CONTENT, type ResponseHeaders } from '../reply.ts';
import type { RouteHandler } from '../router.ts';
import type { PageAccess, PageEnvironment } from './page-access.ts';
import { EVENT_STREAM, type PageEvents } from './page-events.ts';

interface DeviceOptions {
  readonly access: PageAccess;
  readonly events: PageEvents;
}

/** Identity of the person who signed in on a device. */
interface SessionIdentity extends Identity {
  readonly sessionId: number;
  readonly confirm: Identify;
}

/** Routes for devices on which a person has signed in. */
export class DeviceRoutes {
  readonly #access: PageAccess;
  readonly #events: PageEvents;
  readonly #environment: PageEnvironment;
  readonly #admit: Admit;

  constructor({ access, events }: DeviceOptions, environment: PageEnvironment, admit: Admit) {
    this.#access = access;
    this.#events = events;
    this.#environment = environment;
    this.#admit = admit;
  }

  readonly closeSession: RouteHandler = async (headers, { env: { incoming } }) => {
    const { sessionId } = await this.#identityOf(incoming, headers);
    if (sessionId !== undefined)
      await endSession(this.#storeFor(incoming), sessionId, this.#environment.clock());

    headers['Set-Cookie'] = this.#access.sessionCookie(incoming, { secret: '', maxAgeMs: 0 });
    return NO_CONTENT;
  };

  readonly eventStream: RouteHandler = async (headers, { req, env: { incoming } }) => {
    const viewer = await this.#signedIn(incoming, headers);
    // Tells proxies not to buffer the stream.
    headers['X-Accel-Buffering'] = 'no';
    if (req.method === 'HEAD') return { status: 200, type: EVENT_STREAM, content: null };
    return this.#events.open(viewer, req.raw.signal);
  };

  readonly describe: RouteHandler = async (headers, { env: { incoming } }) => {
    const { sessionId, caller, company } = await this.#signedIn(incoming, headers);
    const store = this.#storeFor(incoming);
    const users = await store.read(company.id, allUsers);
    const push = await store.readAll((all) => pushSubscriptionOf(all, sessionId));

    return jsonReply(200, {
      email: users.find(({ id }) => id === caller.userId)?.email ?? null,
      pushKey: (await pushKeys(store)).publicKey,
      hasPush: push !== null,
      pushLang: push === null ? null : langOfPush(push),
    });
  };

  readonly startPush: RouteHandler = async (headers, { env: { incoming } }) => {
    const { sessionId } = await this.#signedIn(incoming, headers);
    const subscription = await readJson(incoming, this.#environment.limits);
    await savePushSubscription(this.#storeFor(incoming), sessionId, subscription);
    return NO_CONTENT;
  };

  readonly endPush: RouteHandler = async (headers, { env: { incoming } }) => {
    const { sessionId } = await this.#signedIn(incoming, headers);
    const store = this.#storeFor(incoming);
    await store.writeUnlocked((all) => setPushSubscription(all, sessionId, null));
    return NO_CONTENT;
  };

  async #signedIn(incoming: IncomingMessage, headers: ResponseHeaders): Promise<SessionIdentity> {
    const identity = await this.#identityOf(incoming, headers);
    const { sessionId, confirm } = identity;
    if (sessionId === undefined || confirm === undefined) throw signInNeededError();
    return { ...identity, sessionId, confirm };
  }

  async #identityOf(incoming: IncomingMessage, headers: ResponseHeaders): Promise<Identity> {
    this.#access.assertPageRequest(incoming);
    const request = { incoming, acceptsBearerKeys: false, acceptsSessions: true };
    const { identify } = await this.#admit(request, headers);
    return this.#storeFor(incoming).readAll(identify);
  }

  #storeFor(incoming: IncomingMessage): Store {
    return sharesOf(incoming).storeInTurn(this.#environment.store);
  }
}
