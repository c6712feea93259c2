import { PNG_START } from './steps.mjs';

export const FEATURES = ['list', 'call', 'picture', 'resource', 'prompt'];

/** Escapes of JSON inside JSON do not matter for what a text says. */
const plain = (text) => text.replaceAll('\\', '');

/** Returns the result of each feature: 'yes', why the client has none, or what was missing. */
export function judge({ absent = {} }, evidence, wire) {
  return Object.fromEntries(
    FEATURES.map((feature) => {
      if (absent[feature]) return [feature, { absent: absent[feature] }];
      const missing = missingOnWire(feature, wire) ?? missingInEvidence(feature, evidence, wire);
      return [feature, missing ? { failed: missing } : 'yes'];
    }),
  );
}

const answers = ({ exchanges }, method, name) =>
  exchanges
    .filter(({ request }) => request.method === method && (!name || request.params?.name === name))
    .map(({ answer }) => answer?.result)
    .filter((result) => result && !result.isError);

const ON_WIRE = {
  list: (wire) => answers(wire, 'tools/list').some(({ tools }) => tools?.length > 0),
  call: (wire) =>
    answers(wire, 'tools/call', 'log_watering').some(
      (result) => result.structuredContent?.event?.waterMm === 2.4,
    ),
  picture: (wire) =>
    answers(wire, 'tools/call', 'chart_moisture').some(({ content }) =>
      content?.some(({ type }) => type === 'image'),
    ),
  resource: (wire) => answers(wire, 'resources/read').some(({ contents }) => contents?.length > 0),
  prompt: (wire) => answers(wire, 'prompts/get').some(({ messages }) => messages?.length > 0),
};

function missingOnWire(feature, wire) {
  return ON_WIRE[feature](wire) ? undefined : 'the server was not asked, or did not answer';
}

/** Of the end, since clients fill arguments in. */
const promptEnd = (wire) =>
  plain(answers(wire, 'prompts/get')[0].messages[0].content.text.trim().slice(-40));

function missingInEvidence(feature, evidence, wire) {
  const text = plain(evidence[feature] ?? evidence.everything);
  const wanted = {
    list: () => text.includes('log_watering'),
    call: () => /"waterMm": ?2\.4\b|: 2\.4 mm over/.test(text),
    picture: () => text.includes(PNG_START),
    resource: () => text.includes('Mas Rouge'),
    prompt: () => text.includes(promptEnd(wire)),
  };
  return wanted[feature]()
    ? undefined
    : 'the answer did not reach the client’s output or its model';
}

/** Reads what reached the model from the requests that it got. */
export function whatReachedTheModel(requests, wire) {
  const withTools = requests.filter(({ tools }) => tools.length > 0);
  if (withTools.length === 0) return undefined;
  const bodies = withTools.map(({ body }) => body);
  const all = plain(withTools.map(({ text }) => text).join('\n'));
  const offered = answers(wire, 'tools/list').flatMap(({ tools }) => tools.map(({ name }) => name));
  const isOffered = ({ name }) =>
    offered.some(
      (each) => name === each || ['_', '.', '-'].some((mark) => name.endsWith(mark + each)),
    );
  const sent = withTools[0].tools.filter(isOffered).length;
  return {
    tools: sent > 0 ? `${sent} of ${offered.length} tools` : 'names behind a tool search',
    instructions: reached(bodies, instructionsOf(wire)),
    answer: answerForm(all),
    picture: pictureForm(bodies),
  };
}

function instructionsOf({ exchanges }) {
  const opening = exchanges.find(({ answer }) => answer?.result?.instructions);
  return opening?.answer.result.instructions;
}

function reached(bodies, instructions) {
  if (!instructions) return 'none sent';
  const squeeze = (text) => text.replace(/\s+/g, ' ');
  const text = squeeze(bodies.flatMap(stringsIn).join(' '));
  const wanted = squeeze(instructions).trim();
  if (text.includes(wanted)) return 'whole';
  return text.includes(wanted.slice(0, 60)) ? 'the beginning' : 'no';
}

/** A tool answers with a sentence and the same facts as JSON; clients pass on either or both. */
function answerForm(all) {
  const hasJson = /"summary": ?"Logged 45 min/.test(all);
  const hasSentence = /(?<!"summary": ?")Logged 45 min/.test(all);
  if (hasJson && hasSentence) return 'sentence and JSON';
  if (hasJson) return 'JSON';
  return hasSentence ? 'sentence' : 'nothing';
}

function pictureForm(bodies) {
  const texts = bodies
    .flatMap((body) => stringsIn(body))
    .filter((text) => text.includes(PNG_START));
  if (texts.length === 0) return 'none';
  const isPicture = (text) =>
    text.startsWith(PNG_START) || text.startsWith(`data:image/png;base64,${PNG_START}`);
  return texts.every(isPicture) ? 'as a picture' : 'as text';
}

function stringsIn(value) {
  if (typeof value === 'string') return [value];
  return value && typeof value === 'object' ? Object.values(value).flatMap(stringsIn) : [];
}
