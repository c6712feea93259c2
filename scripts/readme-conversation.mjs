// Excerpts from docs/a-morning.md, which the demo writes, for the first screen of the README.

/** What is shown of each answer: the sentences that match, in the order of the answer. */
const EXCERPTS = [
  { question: /^For how long/, sentences: [/needs water/, /^To refill/, /texture class/] },
  { question: /^The pump ran/, sentences: [/^Logged/] },
  { question: /^And the cherries/, sentences: [/^No probe/, /balance/, /^To refill/] },
  { question: /^Does North 1/, sentences: [/^Old data/, /meanwhile/] },
];

export function conversationRows(morning) {
  const scenes = morning.split(/^## /m).slice(1).map(sceneOf);
  return EXCERPTS.map(({ question, sentences }) => {
    const scene = scenes.find(({ words }) => question.test(words));
    if (!scene) throw new Error(`docs/a-morning.md has no words that match ${question}`);
    return [`“${scene.words}”`, excerptOf(scene.answer, sentences)];
  });
}

function sceneOf(text) {
  const [heading] = text.split('\n', 1);
  return { words: heading.replace(/[“”]/g, ''), answer: /^> (.*)$/m.exec(text)?.[1] ?? '' };
}

/** Sentences that are left out are marked with an ellipsis. */
function excerptOf(answer, patterns) {
  const sentences = answer.split(/(?<=[.!?]) /);
  const missing = patterns.find((pattern) => !sentences.some((each) => pattern.test(each)));
  if (missing) throw new Error(`docs/a-morning.md has no sentence that matches ${missing}`);
  const shown = sentences.map((each) =>
    patterns.some((pattern) => pattern.test(each)) ? each : '…',
  );
  return shown.filter((each, index) => each !== '…' || shown[index - 1] !== '…').join(' ');
}
