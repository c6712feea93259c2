import {
  type ElicitRequest,
  ElicitRequestSchema,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import type { McpSession } from '../../mcp-session.ts';
import type { Json } from '../../program.ts';

export interface FormSession extends McpSession {
  /** Gives these answers to the next questions, which are added to the returned list. */
  answerWith(...answers: readonly ElicitResult[]): Json[];
}

export async function withForms(session: McpSession): Promise<FormSession> {
  let [answers, questions]: [readonly ElicitResult[], ElicitRequest['params'][]] = [[], []];
  session.client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    questions.push(params);
    return answers[questions.length - 1] ?? { action: 'cancel' };
  });
  return {
    ...session,
    answerWith(...nextAnswers) {
      [answers, questions] = [nextAnswers, []];
      return questions;
    },
  };
}

export const accept = (content: Record<string, string | number | boolean>): ElicitResult => ({
  action: 'accept',
  content,
});
