import { singleLine, visibleJson, visibleText, withTexts } from '../domain/strings.ts';
import { differsAloud } from '../domain/text/contents.ts';
import type { Text } from '../domain/text/text.ts';
import { UNKNOWN_READER } from '../language/refusal-reader.ts';
import type { Reader } from '../language/text/reader.ts';
import { render, renderSentence } from '../language/text/render.ts';
import { type AnswerText, joinAnswers, readText } from '../language/text/rendered-text.ts';
import { structuredBody } from '../operation/answer.ts';
import type { AnyOperation } from '../operation/operation.ts';
import type { OperationResult } from '../operation/operation-result.ts';
import type { AcequiaError } from '../schema/error.ts';
import { limitAnswer } from './answer-limit.ts';
import { type CallToolResult, ProtocolError, ProtocolErrorCode } from './protocol.ts';

/** Begins the text that names the calls which are likely to come next. */
export const NEXT_PREFIX = 'Next: ';

/**
 * Clients show the model either the text or the structured content, so each is complete. Some drop
 * an image beside structured content, so a picture comes without it.
 */
export function toolResult(operation: AnyOperation, result: OperationResult): CallToolResult {
  const { body, picture, isReplay, changeId } = result;
  const answer = answerText(result);
  // A picture comes without the structured content, so there is nothing to shorten.
  const { content, remark } = picture
    ? { content: {}, remark: null }
    : limitAnswer(operation, structuredBody(operation, body));
  const { summary } = remark === null ? answer : joinAnswers([answer, remark]);
  // A cursor would skip the rows that are left out.
  const { next } = remark !== null && remark.next.length > 0 ? remark : answer;
  const text = singleLine(readText(summary));
  const nextText = singleLine(next.map(readText).join('; '));
  // What follows from the summary stands apart from it, because a summary may be read aloud.
  const texts = nextText === '' ? [text] : [text, `${NEXT_PREFIX}${nextText}`];
  const textContent = texts.map((each) => ({ type: 'text' as const, text: each }));
  if (picture) {
    const data = Buffer.from(picture.data).toString('base64');
    return {
      content: [...textContent, { type: 'image', data, mimeType: picture.mimeType }],
    };
  }

  const json = visibleJson({
    summary: text,
    next: nextText === '' ? undefined : nextText,
    replayed: isReplay || undefined,
    changeId: changeId ?? undefined,
    ...content,
  });
  const toolAnswer: CallToolResult = {
    content: [...textContent, { type: 'text', text: json }],
    structuredContent: JSON.parse(json),
  };
  if (isReplay) toolAnswer._meta = { 'acequia/replayed': true };
  return toolAnswer;
}

/** A replay says so first. */
const answerText = (result: OperationResult): AnswerText =>
  result.isReplay && result.replayText ? joinAnswers([result.replayText, result]) : result;

/**
 * The first text is for people: the message without names of arguments. The second is for the model:
 * the code, the hint, and before it the exact message if that differs from the first text.
 */
export function toolError(error: AcequiaError, reader: Reader = UNKNOWN_READER): CallToolResult {
  const { code } = error;
  const visible = withTexts(error.texts.message, visibleText);
  const spoken = singleLine(readText(renderSentence(visible, reader)));
  const message = forModel(error.texts.message, reader);
  const hint = error.texts.hint === undefined ? '' : forModel(error.texts.hint, reader);
  const exact = differsAloud(error.texts.message) ? `${message} ` : '';
  const texts = [spoken, visibleText(`${code}: ${exact}${hint}`.trim())];
  const json = { ...error.toJSON(), message, hint: hint === '' ? undefined : hint };
  return {
    isError: true,
    content: texts.map((text) => ({ type: 'text', text })),
    _meta: { 'acequia/error': JSON.parse(visibleJson(json)) },
  };
}

const forModel = (text: Text, reader: Reader): string =>
  readText(render(text, { ...reader, isProgram: true }).summary);

export function asProtocolError(error: AcequiaError): ProtocolError {
  const { code, status, hint = '', retryAfterS } = error;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, formatError(error), {
    code,
    status,
    hint: visibleText(hint),
    retryAfterS,
  });
}

const formatError = ({ code, message, hint = '' }: AcequiaError): string =>
  visibleText(`${code}: ${message} ${hint}`.trim());
