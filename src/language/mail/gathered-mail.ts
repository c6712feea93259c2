import { firstOf } from '../../domain/items.ts';
import type { Lang } from '../../domain/lang.ts';
import { languageOf } from '../index.ts';
import { htmlPage, htmlParagraphs } from './mail-html.ts';
import { SIGNATURE } from './mail-layout.ts';

interface WrittenMessage {
  readonly subject: string;
  readonly text: string;
}

interface GatheredMessage extends WrittenMessage {
  readonly html: string;
}

/** The others are named by their subjects. */
const MAX_FULL_MESSAGES = 20;
const ACCENT = '#475569';

/** At least two messages as one. */
export function gatherMail(messages: readonly WrittenMessage[], lang: Lang): GatheredMessage {
  const subject = subjectOf(messages, lang);
  const subjects = messages.map((message) => `- ${message.subject}`).join('\n');
  const parts = messages.slice(0, MAX_FULL_MESSAGES).map(({ subject, text }) => {
    const [body = '', footer = ''] = text.split(SIGNATURE);
    return { subject, body, footer };
  });
  const footer = [...new Set(parts.map((part) => part.footer))].join('\n');

  const sections = parts.map(({ subject, body }) => htmlParagraphs(subject, body));
  return {
    subject,
    text: [
      subjects,
      ...parts.map(({ subject, body }) => `${subject}\n${'='.repeat(subject.length)}\n${body}`),
    ]
      .join('\n\n')
      .concat(SIGNATURE, footer),
    html: htmlPage(subject, lang, ACCENT, [htmlParagraphs(subject, subjects), ...sections], footer),
  };
}

const MAX_PUSH_LINES = 4;

/** The texts are those of push messages as they are stored, in JSON. */
export function gatherPush(messages: readonly WrittenMessage[], lang: Lang): GatheredMessage {
  const subject = subjectOf(messages, lang);
  const { moduleId } = JSON.parse(firstOf(messages).text) as { moduleId: number };
  const body = messages
    .slice(0, MAX_PUSH_LINES)
    .map((message) => message.subject)
    .join('\n');
  return {
    subject,
    text: JSON.stringify({ title: subject, body, tag: 'gathered', moduleId }),
    html: '',
  };
}

const subjectOf = (messages: readonly WrittenMessage[], lang: Lang): string =>
  languageOf(lang).mail.andOthers(firstOf(messages).subject, messages.length - 1);
