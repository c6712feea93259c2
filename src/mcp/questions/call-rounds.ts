import { randomUUID } from 'node:crypto';
import { z } from 'zod/v3';
import { operationName } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import {
  type AskPerson,
  DECLINED,
  type PersonAnswer,
  type Question,
  UnansweredQuestion,
} from '../../operation/question.ts';
import { fingerprintArguments } from '../../operation/replay/idempotency.ts';
import { AcequiaError } from '../../schema/error.ts';
import type { InputRequiredResult } from '../protocol.ts';
import { formAnswer, questionForm } from './elicitation.ts';

// In revision 2026-07-28, a server cannot ask anything during a call. The call ends with the
// question, and the client repeats it with the answer and with a state that only the server can
// read. The repeated call runs from its start.

/** The parts of a call that a client sends besides its arguments. */
export interface CallRound {
  /** True if the client can show a person a form. */
  readonly hasForms: boolean;
  readonly requestState: string | undefined;
  readonly inputResponses: Readonly<Record<string, unknown>>;
}

interface AskingCall {
  readonly tool: string;
  readonly args: unknown;
  /** True if a repeated call without its state would write again. */
  readonly writesBeforeAsking: boolean;
}

export interface StateSealing {
  /** The same in every process that may get the repeated call. 256 bits in base64url. */
  readonly secret: string;
  /** The caller who may repeat the call. */
  readonly owner: string;
}

export interface OpenRound {
  readonly askPerson: AskPerson | undefined;
  readonly isRepeated: boolean;
  /** The repeated call finds by this key what an earlier round wrote. */
  readonly writeKey: string;
  endWith(question: Question): Promise<InputRequiredResult & { requestState: string }>;
}

const answerValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const callState = z.object({
  writeKey: z.string(),
  /** By the fingerprint of the question. */
  answers: z.record(answerValue),
  /** The question that ended the last round: its name and its fingerprint. */
  asked: z.object({ name: z.string(), question: z.string() }),
});
type CallState = z.output<typeof callState>;

const inputResponse = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.record(z.unknown()).optional(),
});

/** In real time, as the client counts, also where the clock of the operations is set to a date. */
const STATE_LIFETIME = '10m';

export async function openRound(
  { hasForms, requestState, inputResponses }: CallRound,
  { tool, args, writesBeforeAsking }: AskingCall,
  sealing: () => Promise<StateSealing>,
): Promise<OpenRound> {
  const call = { tool, args };
  const state =
    requestState === undefined
      ? null
      : await openState(requestState, call, await sealing(), writesBeforeAsking);
  const answers = state === null ? {} : answersSoFar(state, inputResponses);
  const writeKey = state?.writeKey ?? randomUUID();

  const askPerson: AskPerson = async (question) => {
    const answer = answers[fingerprintArguments(question)];
    if (answer !== undefined) return answer;
    return hasForms ? new UnansweredQuestion(question) : null;
  };

  return {
    askPerson: hasForms || state !== null ? askPerson : undefined,
    isRepeated: state !== null,
    writeKey,
    async endWith(question) {
      const asked = { name: question.name, question: fingerprintArguments(question) };
      return {
        resultType: 'input_required',
        inputRequests: {
          [question.name]: { method: 'elicitation/create', params: questionForm(question) },
        },
        requestState: await sealState({ writeKey, answers, asked }, call, await sealing()),
      };
    },
  };
}

function answersSoFar(
  { answers, asked }: CallState,
  inputResponses: CallRound['inputResponses'],
): CallState['answers'] {
  const rawResponse = inputResponses[asked.name];
  if (rawResponse === undefined) return answers;

  return { ...answers, [asked.question]: answerIn(rawResponse, asked.name) };
}

/**
 * A client that sends a malformed response would send it again: the call ends without an answer.
 */
function answerIn(rawResponse: unknown, name: string): PersonAnswer {
  const response = inputResponse.safeParse(rawResponse).data;
  if (response === undefined) return null;
  if (response.action !== 'accept') return DECLINED;
  return formAnswer(response.content?.[name]);
}

/** A state is valid only for the very same call of the same caller. */
const audience = (call: object, { owner }: StateSealing): string =>
  fingerprintArguments([owner, call]);

const keyOf = ({ secret }: StateSealing): Uint8Array => Buffer.from(secret, 'base64url');

// sealState and openState load the library on demand, because few calls have a question.

async function sealState(state: CallState, call: object, sealing: StateSealing): Promise<string> {
  const { EncryptJWT } = await import('jose');
  return new EncryptJWT({ ...state })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setAudience(audience(call, sealing))
    .setExpirationTime(STATE_LIFETIME)
    .encrypt(keyOf(sealing));
}

async function openState(
  requestState: string,
  call: object,
  sealing: StateSealing,
  writesBeforeAsking: boolean,
): Promise<CallState> {
  const { errors, jwtDecrypt } = await import('jose');
  try {
    const { payload } = await jwtDecrypt(requestState, keyOf(sealing), {
      audience: audience(call, sealing),
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
      requiredClaims: ['exp'],
    });
    return callState.parse(payload);
  } catch (error) {
    throw new InvalidRequestState(error instanceof errors.JWTExpired, writesBeforeAsking);
  }
}

export class InvalidRequestState extends AcequiaError {
  constructor(isExpired: boolean, mayBeRecorded: boolean) {
    super({
      code: 'invalid_request_state',
      status: 400,
      message: isExpired
        ? say`The answer came more than 10 minutes after its question, so it was not used.`
        : say`This requestState does not belong to this call: it was changed, or it is from other arguments, another tool, another key or another service.`,
      hint: mayBeRecorded
        ? say`See in ${operationName('list_waterings')} whether the watering is recorded. If not, repeat the call without requestState and inputResponses; the question is then asked again.`
        : say`Repeat the call without requestState and inputResponses; the question is then asked again.`,
    });
  }
}
