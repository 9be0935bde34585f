import { suggestion } from '../../../errors.ts';
import { PythonError } from '../../python/budget.ts';
import { ELEMENT_STEPS, type ExpansionState, OUTPUT_STEPS } from './expansionState.ts';
import { type Macro, MacroScope, parseParameters, resolveMacro } from './macros.ts';
import { checkAttributes, defineProperty, requireXmlName } from './properties.ts';
import type { Scope } from './scope.ts';
import { booleanOf, type TextEvaluator } from './textEvaluator.ts';
import { XacroElement } from './xacroTree.ts';

/** The scopes in which an element is expanded. */
export interface Scopes {
  readonly scope: Scope;
  readonly macros: MacroScope;
}

/** Access to included files. */
export interface IncludedFiles {
  /** Returns the address itself, or the addresses of the files that it matches as a pattern, sorted. */
  readonly matching: (address: string) => readonly string[];
  /** Opens a file: its root element and path; undefined if it is optional and missing. */
  readonly open: (address: string, optional: boolean) => { root: XacroElement; file: string } | undefined;
}

/**
 * Expands the elements of xacro files [ROS xacro]. Elements are processed in the order of the file; the result consists
 * of new elements with the places of their source elements.
 */
export class Expander {
  /** The elements of xacro that are no macro calls. */
  private readonly handlers: Readonly<
    Record<string, (element: XacroElement, scopes: Scopes, out: XacroElement) => void>
  > = {
    'xacro:property': (element, { scope }) => defineProperty(element, scope, this.state, this.texts),
    'xacro:macro': (element, scopes) => this.macro(element, scopes),
    'xacro:arg': (element, scopes) => this.arg(element, scopes),
    'xacro:include': (element, scopes, out) => this.include(element, scopes, out),
    'xacro:insert_block': (element, scopes, out) => this.insertBlock(element, scopes, out),
    'xacro:if': (element, scopes, out) => this.condition(element, scopes, out),
    'xacro:unless': (element, scopes, out) => this.condition(element, scopes, out),
    'xacro:attribute': (element, scopes, out) => this.attribute(element, scopes, out),
    'xacro:element': (element, scopes, out) => this.dynamicElement(element, scopes, out),
    'xacro:call': (element, scopes, out) => this.dynamicCall(element, scopes, out),
  };

  constructor(
    private readonly state: ExpansionState,
    private readonly texts: TextEvaluator,
    private readonly args: Map<string, string>,
    private readonly included: IncludedFiles,
  ) {}

  /** Expands an element that is not of xacro: its attributes and its content. */
  expand(element: XacroElement, scopes: Scopes): XacroElement {
    this.state.place = element.place;
    const result = new XacroElement(element.name, this.attributes(element, scopes), [], element.place);
    this.content(element, scopes, result);
    return result;
  }

  private attributes(element: XacroElement, { scope }: Scopes): Map<string, string> {
    const attributes = new Map<string, string>();
    for (const [name, text] of element.attributes) {
      if (name.startsWith('xacro:') || name === 'xmlns:xacro') continue;
      const value = this.texts.text(text, scope);
      this.state.budget.spend(OUTPUT_STEPS * (name.length + value.length));
      attributes.set(name, value);
    }
    return attributes;
  }

  /** Appends the expanded content of an element to another one. */
  private content(element: XacroElement, scopes: Scopes, out: XacroElement): void {
    const { state } = this;
    for (const child of element.children) {
      if (child instanceof XacroElement) {
        state.budget.spend(ELEMENT_STEPS);
        state.place = child.place;
        this.child(child, scopes, out);
        continue;
      }
      state.place = element.place;
      state.budget.spendText(child.text.length);
      const isPlain = child.verbatim || !child.text.includes('$');
      const result = isPlain ? child : { text: this.texts.text(child.text, scopes.scope), verbatim: false };
      state.budget.spend(1 + OUTPUT_STEPS * (/\S/.test(result.text) ? result.text.length : 0));
      out.children.push(result);
    }
  }

  private child(element: XacroElement, scopes: Scopes, out: XacroElement): void {
    const expand = Object.hasOwn(this.handlers, element.name) ? this.handlers[element.name] : undefined;
    if (expand !== undefined) expand(element, scopes, out);
    else if (element.name.startsWith('xacro:')) this.call(element, element.name.slice('xacro:'.length), scopes, out);
    else out.children.push(this.expand(element, scopes));
  }

  /** Expands the content of an element and appends it, without the element itself. */
  private spliced(element: XacroElement, scopes: Scopes, out: XacroElement): void {
    this.attributes(element, scopes); // as the reference does: properties in them get their values
    const inner = new XacroElement(element.name, new Map(), [], element.place);
    this.content(element, scopes, inner);
    this.lift(inner, out);
  }

  private lift(from: XacroElement, out: XacroElement): void {
    this.state.budget.spend(from.children.length);
    for (const [name, value] of from.attributes) {
      if (name.startsWith('xmlns:') && !out.attributes.has(name)) out.attributes.set(name, value);
    }
    for (const child of from.children) out.children.push(child);
  }

  private macro(element: XacroElement, { macros }: Scopes): void {
    checkAttributes(this.state, element, ['name'], ['params']);
    const given = element.attributes.get('name')!;
    const name = given.replace(/^xacro:/, '');
    if (name === 'call') throw new PythonError('a macro cannot have the name "call"');
    if (name.includes('.'))
      throw new PythonError(`the macro "${name}" has a dot in its name, which separates namespaces`);
    const params = element.attributes.get('params') ?? '';
    this.state.budget.spend(params.length / 2);
    macros.set({ name, body: element, parameters: parseParameters(params) });
  }

  private arg(element: XacroElement, { scope }: Scopes): void {
    checkAttributes(this.state, element, ['name', 'default'], []);
    const name = element.attributes.get('name')!;
    this.state.argumentNames.add(name);
    if (!this.args.has(name)) this.args.set(name, this.texts.text(element.attributes.get('default')!, scope));
  }

  private include(element: XacroElement, scopes: Scopes, out: XacroElement): void {
    checkAttributes(this.state, element, ['filename'], ['ns', 'optional']);
    const { place } = element;
    const inner = this.includedScopes(element, scopes);
    const optional = element.attributes.get('optional');
    const isOptional = optional !== undefined && booleanOf(optional, optional);
    const address = this.texts.text(element.attributes.get('filename')!, scopes.scope);
    for (const one of this.included.matching(address)) {
      this.state.place = place;
      const opened = this.included.open(one, isOptional);
      if (opened === undefined) continue;
      this.state.within({ what: `the file ${opened.file}, included`, place }, () => {
        this.state.files.push(opened.file);
        this.lift(this.expand(opened.root, inner), out);
        this.state.files.pop();
      });
    }
  }

  private includedScopes(element: XacroElement, scopes: Scopes): Scopes {
    const given = element.attributes.get('ns');
    if (given === undefined || given === '') return scopes;
    const name = this.texts.text(given, scopes.scope);
    const inner: Scopes = { scope: scopes.scope.inner(true), macros: new MacroScope() };
    scopes.scope.setNamespace(name, inner.scope, element.place);
    scopes.macros.setNamespace(name, inner.macros);
    return inner;
  }

  private insertBlock(element: XacroElement, scopes: Scopes, out: XacroElement): void {
    checkAttributes(this.state, element, ['name'], []);
    const name = element.attributes.get('name')!;
    const content = scopes.scope.block(`**${name}`);
    const single = scopes.scope.block(`*${name}`);
    if (content !== undefined) this.spliced(content, scopes, out);
    // the block was expanded at the call of the macro, and is expanded again where it is inserted
    else if (single !== undefined) out.children.push(this.expand(single, scopes));
    else throw new PythonError(`there is no block "${name}"`);
  }

  private condition(element: XacroElement, scopes: Scopes, out: XacroElement): void {
    checkAttributes(this.state, element, ['value'], []);
    const holds = this.texts.boolean(element.attributes.get('value')!, scopes.scope);
    if (holds === (element.name === 'xacro:if')) this.spliced(element, scopes, out);
  }

  private attribute(element: XacroElement, { scope }: Scopes, out: XacroElement): void {
    checkAttributes(this.state, element, ['name', 'value'], []);
    const name = this.texts.text(element.attributes.get('name')!, scope);
    const value = this.texts.text(element.attributes.get('value')!, scope);
    this.state.budget.spend(OUTPUT_STEPS * value.length);
    requireXmlName(name, 'attribute');
    if (out.name.startsWith('xacro:')) {
      this.state.warn(`the attribute "${name}" is lost, as in ROS: its parent is <${out.name}>`);
    }
    out.attributes.set(name, value);
  }

  private dynamicElement(element: XacroElement, scopes: Scopes, out: XacroElement): void {
    const given = element.attributes.get('xacro:name');
    if (given === undefined) throw new PythonError('<xacro:element> has no xacro:name');
    const name = this.texts.text(given, scopes.scope);
    requireXmlName(name, 'element');
    if (name === 'xacro:element') throw new PythonError('<xacro:element> cannot be the name of an element');
    this.child(new XacroElement(name, without(element, 'xacro:name'), element.children, element.place), scopes, out);
  }

  private dynamicCall(element: XacroElement, scopes: Scopes, out: XacroElement): void {
    const given = element.attributes.get('macro');
    if (given === undefined || given === '') throw new PythonError('<xacro:call> has no macro');
    const name = this.texts.text(given, scopes.scope);
    const call = new XacroElement(`xacro:${name}`, without(element, 'macro'), element.children, element.place);
    this.call(call, name, scopes, out);
  }

  /**
   * Expands a macro. Its body sees the scopes of its file or namespace; attributes, blocks and defaults are evaluated
   * in the scopes of the caller, as in the reference since version 2.1.0.
   */
  private call(element: XacroElement, name: string, caller: Scopes, out: XacroElement): void {
    const { macro, macros, scope } = resolveMacro(name, caller.macros, caller.scope);
    const inner: Scopes = { scope: scope.inner(), macros: new MacroScope(macros) };
    const missing = this.passAttributes(element, macro, caller.scope, inner.scope);

    const content = new XacroElement(element.name, new Map(), [], element.place);
    this.content(element, caller, content);
    this.state.place = element.place;
    this.passBlocks(macro, content.elements(), inner.scope);
    this.passDefaults(macro, missing, caller.scope, inner.scope, element);

    const frame = { what: `macro "${macro.name}", called`, place: element.place };
    this.state.within(frame, () => this.spliced(macro.body, inner, out));
  }

  /** Defines the attributes of a call as properties; returns the names of the parameters without attribute. */
  private passAttributes(element: XacroElement, { name, parameters }: Macro, scope: Scope, inner: Scope): Set<string> {
    const missing = new Set(parameters.map((parameter) => parameter.name));
    for (const [attribute, text] of element.attributes) {
      if (!missing.delete(attribute)) {
        const known = parameters.map((parameter) => parameter.name).filter((other) => !other.startsWith('*'));
        throw new PythonError(`macro "${name}" has no parameter "${attribute}"`, suggestion(attribute, known));
      }
      inner.set(attribute, this.texts.value(text, scope), false, element.place);
    }
    return missing;
  }

  private passBlocks({ name, parameters }: Macro, blocks: readonly XacroElement[], inner: Scope): void {
    const wanted = parameters.filter((parameter) => parameter.name.startsWith('*'));
    for (const [i, { name: block }] of wanted.entries()) {
      if (blocks[i] === undefined) {
        throw new PythonError(`macro "${name}" needs the block "${block.replace(/^\*+/, '')}", which is missing`);
      }
      inner.setBlock(block, blocks[i]);
    }
    const unused = blocks[wanted.length];
    if (unused !== undefined) throw new PythonError(`macro "${name}" takes no block <${unused.name}>`);
  }

  private passDefaults(
    macro: Macro,
    missing: ReadonlySet<string>,
    scope: Scope,
    inner: Scope,
    call: XacroElement,
  ): void {
    const undefinedNames: string[] = [];
    for (const { name, value, forwards } of macro.parameters) {
      if (!missing.has(name) || name.startsWith('*')) continue;
      const forwarded = forwards ? scope.get(name) : undefined;
      if (forwarded !== undefined) inner.set(name, forwarded, false, call.place);
      else if (value !== undefined) inner.set(name, this.texts.value(value, scope), false, call.place);
      else if (forwards) throw new PythonError(`macro "${macro.name}": there is no property "${name}" to pass on`);
      else undefinedNames.push(name);
    }
    if (undefinedNames.length === 0) return;
    const list = undefinedNames.map((name) => `"${name}"`).join(', ');
    throw new PythonError(`macro "${macro.name}": ${list} ${undefinedNames.length > 1 ? 'have' : 'has'} no value`);
  }
}

function without({ attributes }: XacroElement, name: string): Map<string, string> {
  return new Map([...attributes].filter(([key]) => key !== name));
}
