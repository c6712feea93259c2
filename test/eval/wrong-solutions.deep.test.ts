import { describe, expect, it } from 'vitest';
import { STORIES } from '../../eval/program.ts';
import { loadStories } from '../../eval/story.ts';
import { wrongSolutions } from './mutations.ts';
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
        if ((await play(story, wrong)).problems.length === 0) accepted.push(JSON.stringify(wrong));
      expect(accepted).toEqual([]);
    },
  );

  const explicit = stories.flatMap((story) =>
    story.turns.flatMap(({ wrong }, turn) =>
      wrong === undefined ? [] : [{ name: `${story.theme}/${story.id}`, story, wrong, turn }],
    ),
  );
  it.each(explicit)('$name refuses its wrong solution', async ({ story, wrong, turn }) => {
    const { problems } = await play(
      story,
      story.turns.map(({ solution }, index) => (index === turn ? wrong : solution)),
    );
    expect(problems).not.toEqual([]);
  });
});
