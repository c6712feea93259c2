import { describe, expect, it } from 'vitest';
import { STORIES } from '../../eval/program.ts';
import { loadStories } from '../../eval/story.ts';
import { wrongSolutions, wrongTurn } from './mutations.ts';
import { MODULES, replayForFile } from './replay.ts';

const stories = await loadStories(STORIES);
const { play, playInProgram } = await replayForFile();

describe.concurrent('the stories of the evaluation', () => {
  it.each(stories)(
    '$theme/$id is played by the program, and depends on every argument of its writes',
    async (story) => {
      const played = await playInProgram(story);
      expect(played.problems).toEqual([]);
      const accepted: string[] = [];
      for (const wrong of wrongSolutions(story, played, MODULES))
        if ((await play(wrong.story, wrong.solutions)).problems.length === 0)
          accepted.push(JSON.stringify(wrong.solutions));
      expect(accepted).toEqual([]);
    },
  );

  const explicit = stories.flatMap((story) =>
    story.turns.flatMap(({ wrong }, turn) =>
      wrong === undefined ? [] : [{ name: `${story.theme}/${story.id}`, story, wrong, turn }],
    ),
  );
  it.each(explicit)('$name refuses its wrong solution', async ({ story, wrong, turn }) => {
    const { story: start, solutions } = wrongTurn(story, turn, wrong);
    const { problems } = await play(start, solutions);
    expect(problems).not.toEqual([]);
  });
});
