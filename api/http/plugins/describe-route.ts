import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';

type Transform = NonNullable<FastifyDynamicSwaggerOptions['transform']>;

/** Says of each route which ability it needs: in words, and for machines as `x-ability`. */
export const describeRoute: Transform = ({ schema, url, route }) => {
  const ability = route.config?.ability;
  if (schema === undefined || ability === undefined) return { schema: schema ?? {}, url };
  const { role } = route.config ?? {};
  const least = role === undefined ? '' : `, and the role ${role} or a higher one`;
  const needs = `Needs the ability \`${ability}\`${least}.`;
  const { description } = schema;
  return {
    url,
    schema: {
      ...schema,
      description: description === undefined ? needs : `${description}\n\n${needs}`,
      'x-ability': ability,
    },
  };
};
