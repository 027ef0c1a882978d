import { problemSchema } from '../problem.ts';
import { type AnswerText, answerTexts, lacksAbility, wrongCredentials, wrongOrigin } from './answer-texts.ts';
import { exampleOf } from './examples.ts';
import { isObject, type Json, type JsonObject } from './named-schemas.ts';

/** The framework's name for an answer without a description of its own. */
const NO_DESCRIPTION = 'Default Response';

/**
 * Gives every answer of every operation its description, its headers and an example, and adds the framework's
 * own answers: to a body that is too large, or in a format that the API does not read.
 */
export function describeAnswers(paths: JsonObject): JsonObject {
  return mapObject(paths, (path) =>
    mapObject(path, (operation, method) =>
      isObject(operation.responses) ? withAnswers(operation, method) : operation,
    ),
  );
}

const problem: JsonObject = {
  description: NO_DESCRIPTION,
  content: { 'application/json': { schema: JSON.parse(JSON.stringify(problemSchema)) } },
};

function withAnswers(operation: JsonObject, method: string): JsonObject {
  const own = isObject(operation.responses) ? operation.responses : {};
  // An unexpected body is parsed, too.
  const early = method === 'get' ? ['400'] : ['400', '413', '415'];
  const all: JsonObject = { ...Object.fromEntries(early.map((status) => [status, problem])), ...own };
  const described = Object.entries(all).map(([status, answer]) => [
    status,
    isObject(answer) ? describeAnswer(textOf(status, operation), answer) : answer,
  ]);
  return { ...operation, responses: Object.fromEntries(described) as JsonObject };
}

function textOf(status: string, operation: JsonObject): AnswerText | undefined {
  if (status === '401' && operation.security === undefined) return wrongCredentials;
  if (status !== '403') return answerTexts[status];
  const ability = operation['x-ability'];
  if (typeof ability === 'string') return lacksAbility(ability);
  return [operation.tags].flat().includes('Public') ? wrongOrigin : answerTexts[403];
}

function describeAnswer(text: AnswerText | undefined, answer: JsonObject): JsonObject {
  const own = answer.description === NO_DESCRIPTION ? undefined : answer.description;
  const headers = { ...text?.headers, ...(isObject(answer.headers) ? answer.headers : {}) };
  return {
    ...answer,
    description: own ?? text?.description ?? NO_DESCRIPTION,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(isObject(answer.content) ? { content: withExamples(answer.content, text?.message) } : {}),
  };
}

const withExamples = (content: JsonObject, message: string | undefined): JsonObject =>
  mapObject(content, (media) => {
    if (!isObject(media.schema) || media.example !== undefined || media.examples !== undefined) return media;
    const example = problemExample(media.schema, message) ?? exampleOf(media.schema);
    return example === undefined ? media : { ...media, example };
  });

/** The two shapes of a problem are distinguished by their titles. */
function problemExample({ title }: JsonObject, message: string | undefined): Json | undefined {
  if (message === undefined) return undefined;
  if (title === 'Problem') return { message };
  return title === 'ValidationProblem' ? { message, errors: { name: [message] } } : undefined;
}

const mapObject = (object: JsonObject, change: (child: JsonObject, key: string) => JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(object).map(([key, child]) => [key, isObject(child) ? change(child, key) : child]),
  );
