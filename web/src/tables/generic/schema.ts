/** The JSON Schema of a game's messages (protocol 1), and what a table needs to know from it. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly maxProperties?: number;
  readonly minProperties?: number;
  readonly items?: boolean | Schema;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

export interface SchemaDocument extends Schema {
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** An object type with its tag, such as an action. */
export interface Tagged {
  readonly tag: string;
  readonly schema: Schema;
}

const NOTHING: Schema = {};

export class GameSchema {
  readonly #defs: Readonly<Record<string, Schema>>;

  constructor(document: SchemaDocument) {
    this.#defs = document.$defs ?? {};
  }

  /** The schema behind references. What is said beside a reference, such as a description, is kept. */
  resolve(schema: Schema): Schema {
    let found = schema;
    for (let depth = 0; found.$ref !== undefined && depth < 20; depth++) {
      const { $ref, ...beside } = found;
      found = { ...(this.#defs[$ref.split('/').at(-1) ?? ''] ?? NOTHING), ...beside };
    }
    return found;
  }

  get view(): Schema {
    return this.#inMessage('SeatMessage', 'view');
  }

  /** All actions that a player may send. */
  get actions(): readonly Tagged[] {
    return this.tagged(this.#inMessage('AnswerMessage', 'action'));
  }

  /** The free questions of the game; most games have none. */
  get questions(): readonly Tagged[] {
    return this.tagged(this.#inMessage('QueryMessage', 'question'));
  }

  get reply(): Schema {
    return this.#inMessage('ReplyMessage', 'answer');
  }

  /** The schema of an ask, by its tag. */
  ask(tag: string): Schema {
    return this.#alternative(this.#inMessage('AskMessage', 'ask'), tag);
  }

  /** The actions that fit an ask: those that its list of choices may contain. Without such a list, all actions. */
  actionsFor(ask: string): readonly Tagged[] {
    const choices = this.field(this.ask(ask), 'choices');
    const items = this.alternatives(choices).find((each) => each.type === 'array')?.items;
    const fitting = typeof items === 'object' ? this.tagged(items) : [];
    return fitting.length > 0 ? fitting : this.actions;
  }

  /** The schema of a field, found in the alternatives of a union too. */
  field(schema: Schema, name: string): Schema {
    for (const each of this.alternatives(schema)) {
      const found = each.properties?.[name];
      if (found !== undefined) return this.resolve(found);
    }
    return NOTHING;
  }

  /** The schema that applies to a value: for a union, the alternative that fits its tag or its JSON type. */
  of(schema: Schema, value: unknown): Schema {
    const alternatives = this.alternatives(schema);
    if (alternatives.length === 1) return alternatives[0]!;
    const tag = tagOf(value);
    const words = schema.description === undefined ? {} : { description: schema.description };
    const fitting =
      alternatives.find((each) => tag !== null && tagIn(each) === tag) ??
      alternatives.find((each) => tagIn(each) === null && fits(each, value)) ??
      NOTHING;
    return { ...words, ...fitting };
  }

  /** The alternatives of a union without null, resolved; of another schema, itself. */
  alternatives(schema: Schema): readonly Schema[] {
    const whole = this.resolve(schema);
    const union = whole.anyOf ?? whole.oneOf;
    if (union === undefined) return [whole];
    return union.flatMap((each) => this.alternatives(each)).filter((each) => each.type !== 'null');
  }

  /** Whether null is an alternative. */
  isNullable(schema: Schema): boolean {
    const whole = this.resolve(schema);
    return whole.type === 'null' || (whole.anyOf ?? whole.oneOf ?? []).some((each) => this.isNullable(each));
  }

  /** The object types of a union that have a tag. */
  tagged(schema: Schema): readonly Tagged[] {
    return this.alternatives(schema).flatMap((each) => {
      const tag = tagIn(each);
      return tag === null ? [] : [{ tag, schema: each }];
    });
  }

  #inMessage(message: string, field: string): Schema {
    return this.#defs[message]?.properties?.[field] ?? NOTHING;
  }

  #alternative(union: Schema, tag: string): Schema {
    return this.tagged(union).find((each) => each.tag === tag)?.schema ?? NOTHING;
  }
}

/** The tag that objects of this type have in their field "type". */
export function tagIn(schema: Schema): string | null {
  const field = schema.properties?.type;
  const tag = field?.const ?? (field?.enum?.length === 1 ? field.enum[0] : undefined);
  return typeof tag === 'string' ? tag : null;
}

export function tagOf(value: unknown): string | null {
  const tag = isRecord(value) ? value.type : undefined;
  return typeof tag === 'string' ? tag : null;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a schema can be that of a value, judged by the JSON type alone. */
function fits(schema: Schema, value: unknown): boolean {
  if (schema.enum !== undefined) return schema.enum.includes(value);
  switch (schema.type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === schema.type;
  }
}

export function isSeat(schema: Schema): boolean {
  return schema.type === 'integer' && schema.format === 'seat';
}
