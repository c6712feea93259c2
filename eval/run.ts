import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Assistant } from './assistant.ts';
import { type Exchange, playStory } from './conversation.ts';
import { Farms } from './farm.ts';
import { listToolNames } from './mcp-server.ts';
import { APIS, type Api, endpointOf, modelAssistant } from './models.ts';
import { STORIES } from './program.ts';
import { recordedAssistant } from './recorded.ts';
import { type Attempt, reportOf } from './report.ts';
import { loadStories, type Story } from './story.ts';

const USAGE = `Usage: node eval/run.mjs --api openai|anthropic|recorded [options]

  --api API         the endpoint: openai (any that is compatible), anthropic, or recorded: the solutions of the stories
  --model NAME      the model
  --runs N          attempts at each story (default: 4; recorded: 1)
  --toolsets NAMES  as for acequia mcp, with the same default
  --stories TEXT    only the stories whose theme or name matches this regular expression
  --parallel N      stories played at once (default: 2)
  --out FILE        write every attempt as JSON

OPENAI_API_KEY and OPENAI_BASE_URL, or ANTHROPIC_API_KEY and ANTHROPIC_BASE_URL, name the endpoint.
`;

const OPTIONS = {
  api: { type: 'string' },
  model: { type: 'string' },
  runs: { type: 'string' },
  toolsets: { type: 'string' },
  stories: { type: 'string', default: '' },
  parallel: { type: 'string', default: '2' },
  out: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: OPTIONS });
  const isRecorded = values.api === 'recorded';
  const isKnown = isRecorded || (APIS.includes(values.api as Api) && values.model !== undefined);
  if (values.help || !isKnown) {
    process.stdout.write(USAGE);
    return values.help ? 0 : 2;
  }
  const assistantFor = isRecorded ? recordedFor : modelFor(values.api as Api, values.model!);
  const stories = (await loadStories(STORIES)).filter(({ theme, id }) =>
    new RegExp(values.stories).test(`${theme}/${id}`),
  );
  if (stories.length === 0) throw new Error(`No story matches ${values.stories}.`);
  const options = values.toolsets === undefined ? [] : ['--toolsets', values.toolsets];
  const runs = Number(values.runs ?? (isRecorded ? 1 : 4));
  const attempts: Attempt[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'acequia-eval-'));
  try {
    const plan = {
      stories,
      runs,
      options,
      folder,
      parallel: Number(values.parallel),
      assistantFor,
    };
    // If an endpoint fails after hours, the attempts made until then are still reported.
    const failure = await attemptAll(plan, attempts).then(
      () => null,
      (error: Error) => error,
    );
    const daily = await listToolNames(join(folder, 'none.db'), ['--toolsets', 'daily']);
    if (attempts.length > 0) process.stdout.write(reportOf({ attempts, daily, runs }));
    if (values.out !== undefined)
      await writeFile(values.out, JSON.stringify(attempts.map(forFile), null, 1));
    if (failure) throw new Error(`Stopped after ${attempts.length} attempts: ${failure.message}`);
    return 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type AssistantFor = (story: Story, exchanges: readonly Exchange[]) => Assistant;

const recordedFor: AssistantFor = ({ turns }, exchanges) =>
  recordedAssistant(
    turns.map(({ solution }) => solution),
    exchanges,
  );

function modelFor(api: Api, model: string): AssistantFor {
  const assistant = modelAssistant(api, endpointOf(api, model));
  return () => assistant;
}

interface Plan {
  readonly stories: readonly Story[];
  readonly runs: number;
  readonly options: readonly string[];
  readonly folder: string;
  readonly parallel: number;
  readonly assistantFor: AssistantFor;
}

async function attemptAll(
  { stories, runs, options, folder, parallel, assistantFor }: Plan,
  attempts: Attempt[],
): Promise<void> {
  const farms = new Farms(folder);
  const queue = stories.flatMap((story) =>
    Array.from({ length: runs }, (_, nth) => ({ story, nth })),
  );
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { story, nth } = next;
      const storyFolder = await mkdtemp(join(folder, `${story.id}-${nth}-`));
      const farm = await farms.get(story.farm);
      const result = await playStory(story, farm, { folder: storyFolder, options }, (exchanges) =>
        assistantFor(story, exchanges),
      );
      attempts.push({ story, ...result });
      const { problems } = result;
      process.stderr.write(
        `${problems.length === 0 ? 'pass' : 'FAIL'} ${story.theme}/${story.id}\n`,
      );
      for (const problem of problems) process.stderr.write(`     ${problem}\n`);
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
}

const forFile = ({ story, problems, exchanges, outcomes, usage }: Attempt): object => ({
  story: `${story.theme}/${story.id}`,
  problems,
  calls: exchanges.map(({ name, args, answer }) => ({ name, args, answer: answer.text })),
  replies: outcomes.map(({ reply }) => reply),
  usage,
});
