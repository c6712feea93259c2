import { firstOf, withoutNulls } from '../../domain/items.ts';
import type { Lang } from '../../domain/lang.ts';
import { languageOf } from '../index.ts';
import { type MailContent, plainTextOf } from './mail-content.ts';
import { htmlPage, htmlParagraphs } from './mail-html.ts';

interface QueuedMail {
  readonly subject: string;
  readonly content: MailContent;
}

interface QueuedPush {
  readonly subject: string;
  /** As it is stored, in JSON. */
  readonly text: string;
}

interface GatheredMessage {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The others are named by their subjects. */
const MAX_FULL_MESSAGES = 20;
const ACCENT = '#475569';

/** At least two messages as one. */
export function gatherMail(messages: readonly QueuedMail[], lang: Lang): GatheredMessage {
  const subject = subjectOf(messages, lang);
  const subjects = messages.map((message) => `- ${message.subject}`);
  const full = messages.slice(0, MAX_FULL_MESSAGES);
  const footers = new Set(withoutNulls(full.map(({ content }) => content.footer)));
  const footer = footers.size === 0 ? null : [...footers].join('\n');

  const paragraphs = full.flatMap(({ subject, content: { paragraphs } }) => {
    const [first = [], ...others] = paragraphs;
    return [[subject, '='.repeat(subject.length), ...first], ...others];
  });
  const sections = full.map(({ subject, content }) => htmlParagraphs(subject, content.paragraphs));
  return {
    subject,
    text: plainTextOf({ paragraphs: [subjects, ...paragraphs], footer }),
    html: htmlPage(
      subject,
      lang,
      ACCENT,
      [htmlParagraphs(subject, [subjects]), ...sections],
      footer ?? '',
    ),
  };
}

const MAX_PUSH_LINES = 4;

export function gatherPush(messages: readonly QueuedPush[], lang: Lang): GatheredMessage {
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

const subjectOf = (messages: readonly { readonly subject: string }[], lang: Lang): string =>
  languageOf(lang).mail.andOthers(firstOf(messages).subject, messages.length - 1);
