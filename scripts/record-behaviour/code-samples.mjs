// Source code of every language kebab reads, written for recordings and never changed: a changed sample would look like
// changed behaviour. `codeSamples` maps a path below the source `code` to its text.

const RUST = String.raw`//! A small store of notes.
use std::collections::HashMap;
use std::fmt;

pub const MAX_NOTES: usize = 64;
type Key = String;

/// A note with a title.
#[derive(Debug, Clone)]
pub struct Note {
    pub title: String,
    body: Vec<u8>,
}

pub enum Change { Added(Key), Removed { key: Key } }

pub trait Store {
    /// Looks a note up by its key.
    fn get(&self, key: &str) -> Option<&Note>;
    fn len(&self) -> usize { 0 }
}

#[derive(Default)]
pub struct MemoryStore { notes: HashMap<Key, Note> }

impl MemoryStore {
    pub fn new() -> Self { Self { notes: HashMap::new() } }

    // Adds a note and forgets the oldest one beyond the limit.
    pub fn insert_with_limit(&mut self, key: &str, note: Note) -> Change {
        if self.notes.len() >= MAX_NOTES {
            let oldest = self.notes.keys().next().cloned();
            if let Some(oldest) = oldest { self.notes.remove(&oldest); }
        }
        self.notes.insert(key.to_owned(), note);
        Change::Added(key.to_owned())
    }
}

impl Store for MemoryStore {
    fn get(&self, key: &str) -> Option<&Note> { self.notes.get(key) }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, "{}", self.title) }
}

macro_rules! note {
    ($title:expr) => { Note { title: $title.to_owned(), body: vec![] } };
}

mod filter {
    pub struct Globs;
    impl Globs {
        pub fn matches(&self, path: &str) -> bool { path.ends_with(".rs") }
    }
    pub fn negated<T: Into<String>>(pattern: T) -> String { format!("!{}", pattern.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn keeps_a_note() { assert!(MemoryStore::new().get("missing").is_none()); }
}
`;

const PYTHON = String.raw`"""Metrics of a ranking."""
from __future__ import annotations

import math
from dataclasses import dataclass

DEFAULT_K = 10
squared = lambda x: x * x


@dataclass
class Metric:
    """A named value."""

    name: str
    value: float = 0.0

    @property
    def percent(self) -> str:
        return f"{self.value:.1%}"

    class Builder:
        def build(self, name: str) -> "Metric":
            return Metric(name)


def compute_mrr(ranks: list[int | None]) -> float:
    """The mean of the reciprocal ranks; a rank of None counts as zero."""
    if not ranks:
        return 0.0
    return sum(0 if rank is None else 1 / rank for rank in ranks) / len(ranks)


async def discounted_gain(grades, k=DEFAULT_K):
    def discount(position):
        return math.log2(position + 2)

    return sum(grade / discount(i) for i, grade in enumerate(grades[:k]))


if __name__ == "__main__":
    print(compute_mrr([1, 2, None]))
`;

const TYPESCRIPT = String.raw`import { readFile } from 'node:fs/promises';

export type Rank = number & { readonly brand: 'rank' };

/** What a search found. */
export interface Hit {
  readonly path: string;
  readonly score: number;
}

export enum Mode { Lexical = 'lexical', Vector = 'vector' }

export namespace Scores {
  export const floor = (score: number): number => Math.max(0, score);
}

export abstract class Searcher<T extends Hit> {
  #cache = new Map<string, readonly T[]>();
  static readonly limit = 200;

  constructor(private readonly root: string) {}

  /** Finds passages, best first. */
  async search(query: string, { k = 10 }: { readonly k?: number } = {}): Promise<readonly T[]> {
    const cached = this.#cache.get(query);
    if (cached !== undefined) return cached.slice(0, k);
    const hits = await this.rank(query);
    this.#cache.set(query, hits);
    return hits.slice(0, k);
  }

  protected abstract rank(query: string): Promise<readonly T[]>;
  get size(): number { return this.#cache.size; }
}

export function parseHTTPUrl(text: string): URL;
export function parseHTTPUrl(text: string, base?: string): URL {
  return new URL(text, base);
}

export const readNotes = async (file: string): Promise<string> => readFile(file, 'utf8');
export default function (): void {}
`;

const TSX = String.raw`import * as React from 'react';

interface Props { readonly title: string; readonly items: readonly string[] }

export const Panel: React.FC<Props> = ({ title, items }) => (
  <section className="panel">
    <h2>{title}</h2>
    <ul>{items.map((item) => <li key={item}>{item}</li>)}</ul>
  </section>
);

export class Counter extends React.Component<Props, { count: number }> {
  override state = { count: 0 };
  render() { return <button onClick={() => this.setState({ count: this.state.count + 1 })}>{this.state.count}</button>; }
}
`;

const JAVASCRIPT = String.raw`'use strict';
const path = require('node:path');

/** Joins and normalises. */
function joinPaths(...parts) {
  return path.normalize(parts.join('/'));
}

class Queue {
  static of(...items) { const queue = new Queue(); for (const item of items) queue.push(item); return queue; }
  #items = [];
  push(item) { this.#items.push(item); return this; }
  *[Symbol.iterator]() { yield* this.#items; }
}

const debounce = (fn, delayMs) => {
  let timer;
  return (...args) => { clearTimeout(timer); timer = setTimeout(() => fn(...args), delayMs); };
};

module.exports = { joinPaths, Queue, debounce, retry: async function (task, times) {
  for (let attempt = 1; ; attempt++) {
    try { return await task(attempt); } catch (error) { if (attempt >= times) throw error; }
  }
} };

describe('joining', () => {
  it('normalises', () => { joinPaths('a', '..', 'b'); });
});
`;

const GO = String.raw`// Package store keeps notes.
package store

import (
	"errors"
	"sync"
)

// ErrMissing is returned for a key that is not there.
var ErrMissing = errors.New("store: missing")

type Key string

// Store is safe for use by several goroutines.
type Store struct {
	mu    sync.RWMutex
	notes map[Key]string
}

type Reader interface {
	Get(key Key) (string, error)
}

// New makes an empty store.
func New() *Store { return &Store{notes: map[Key]string{}} }

// Get returns the note of a key.
func (s *Store) Get(key Key) (string, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	note, ok := s.notes[key]
	if !ok {
		return "", ErrMissing
	}
	return note, nil
}

func (k Key) String() string { return string(k) }

func Map[T, U any](items []T, f func(T) U) []U {
	out := make([]U, 0, len(items))
	for _, item := range items {
		out = append(out, f(item))
	}
	return out
}

var handler = func(name string) string { return "hello " + name }
`;

const JAVA = String.raw`package com.example.notes;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A book of notes. */
@SuppressWarnings("unused")
public class NoteBook<T extends Comparable<T>> implements Iterable<T> {
  private static final int LIMIT = 100;
  private final List<T> notes = new ArrayList<>();
  static final Function<String, Integer> LENGTH = text -> text.length();

  public NoteBook() { this(LIMIT); }
  NoteBook(int capacity) { assert capacity > 0; }

  /** Adds a note unless the book is full. */
  @Override
  public String toString() { return "NoteBook of " + notes.size(); }

  public boolean addNote(T note) throws IllegalStateException {
    if (notes.size() >= LIMIT) throw new IllegalStateException("full");
    return notes.add(note);
  }

  @Override public java.util.Iterator<T> iterator() { return notes.iterator(); }

  enum State { OPEN, CLOSED; boolean isOpen() { return this == OPEN; } }
  record Page(int number, String text) { Page { if (number < 1) throw new IllegalArgumentException(); } }
  interface Reader { String read(int page); }
  @interface Marked { String value() default ""; }
}
`;

const KOTLIN = String.raw`package com.example.notes

import kotlin.math.max

typealias Rank = Int

sealed interface Change { data class Added(val key: String) : Change; object Cleared : Change }

data class Note(val title: String, val body: String = "") {
    constructor(title: String, lines: List<String>) : this(title, lines.joinToString("\n"))

    fun preview(limit: Int = 80): String = body.take(limit)

    companion object {
        const val LIMIT = 100
        fun create(title: String) = Note(title)
    }
}

object Registry { private val notes = mutableMapOf<String, Note>(); fun register(note: Note) { notes[note.title] = note } }

/** The longer of two notes. */
fun longest(a: Note, b: Note): Note = if (max(a.body.length, b.body.length) == a.body.length) a else b
val shout: (String) -> String = { it.uppercase() }
fun String.words() = split(Regex("\\s+"))
`;

const C = String.raw`/* A ring buffer of bytes. */
#include <stdlib.h>
#include "ring.h"

#define RING_MIN(a, b) ((a) < (b) ? (a) : (b))
#define RING_DEBUG 1

static int live_rings = 0;

typedef struct Point { int x, y; } Point;
enum ring_state { RING_EMPTY, RING_FULL };

/* Makes a ring; NULL without memory. */
struct ring *ring_new(size_t capacity)
{
    struct ring *ring = malloc(sizeof *ring + capacity);
    if (!ring)
        return NULL;
    ring->capacity = capacity;
    ring->used = 0;
    live_rings++;
    return ring;
}

#ifdef RING_DEBUG
void ring_dump(const struct ring *ring) { (void)ring; }
#endif

static size_t ring_room(const struct ring *ring) { return ring->capacity - ring->used; }
`;

const C_HEADER = String.raw`#ifndef RING_H
#define RING_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

struct ring { size_t capacity, used; unsigned char bytes[]; };
struct ring *ring_new(size_t capacity);
typedef int (*ring_visitor)(unsigned char byte, void *context);

#ifdef __cplusplus
}
#endif
#endif
`;

const CPP_HEADER = String.raw`#pragma once
#include <string>
template <typename T>
class Matrix {
 public:
  explicit Matrix(int rows) : rows_(rows) {}
  T at(int row, int column) const;
 private:
  int rows_;
};
`;

const CPP = String.raw`#include "engine.hpp"
#include <memory>
#include <vector>

namespace kebab::search {

namespace { int helper(int x) { return x * 2; } }

template <typename T>
concept Ranked = requires(T t) { t.rank; };

class Engine final : public Base {
 public:
  Engine() = default;
  ~Engine() override { close(); }
  Engine &operator=(const Engine &other) { hits_ = other.hits_; return *this; }

  /// Finds what matches the query.
  std::vector<int> search(const std::string &query) const {
    std::vector<int> out;
    for (auto hit : hits_) if (helper(hit) > static_cast<int>(query.size())) out.push_back(hit);
    return out;
  }
  void close();
 private:
  std::vector<int> hits_;
};

void Engine::close() { hits_.clear(); }

using EnginePtr = std::unique_ptr<Engine>;
}  // namespace kebab::search

int main(int argc, char **argv) { return argc > 1 ? 0 : 1; }
`;

const KUBERNETES = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
spec:
  replicas: 3
  template:
    spec:
      containers:
        - name: web
          image: example/web:1.2
---
apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  ports: [{ port: 80 }]
---
# a document that is no resource
settings: { retries: 3 }
`;

const GROOVY = `plugins { id 'java' }
repositories { mavenCentral() }
dependencies { implementation 'com.google.guava:guava:33.0.0-jre' }
task hello { doLast { println 'hello' } }
`;

/** A function of more lines than a unit may have. */
function longFunction() {
  const lines = Array.from({ length: 460 }, (_, n) =>
    n % 23 === 22 ? '' : `    total += weigh(items[${n}], ${(n * 7) % 13})  # step ${n}`,
  );
  return `def weigh_everything(items):\n    total = 0\n${lines.join('\n')}\n    return total\n`;
}

/** Lines of a language without a syntax tree: longer than a window, with blank lines between paragraphs. */
function longScript() {
  const steps = Array.from({ length: 120 }, (_, n) => `echo "step ${n}"${n % 17 === 16 ? '\n' : ''}`);
  return `#!/usr/bin/env bash\nset -euo pipefail\n\n# Installs the tool.\ninstall() {\n  cp kebab /usr/local/bin\n}\n\n${steps.join('\n')}\n`;
}

/** Path below the source `code` → text. */
export const codeSamples = {
  'README.md': '# Samples\n\nCode of a fictitious project that stores notes.\n\n## Building\n\nRun `make all` first.\n',
  'crates/store/src/lib.rs': RUST,
  'crates/store/src/broken.rs': 'pub fn whole() -> u8 { 1 }\n\npub fn broken( -> {\n\nstruct Half {\n',
  'crates/store/Cargo.toml': '[package]\nname = "store"\nversion = "0.1.0"\n\n[dependencies]\nserde = "1"\n',
  'kebab_eval/metrics.py': PYTHON,
  'kebab_eval/__init__.py': '"""Evaluation."""\nfrom .metrics import compute_mrr\n',
  'kebab_eval/long.py': longFunction(),
  'src/typed/stubs.pyi':
    'def parse(text: str) -> int: ...\nclass Parser:\n    def feed(self, text: str) -> None: ...\n',
  'web/src/search.ts': TYPESCRIPT,
  'web/src/panel.tsx': TSX,
  'web/src/ambient.d.mts':
    'export declare function ambient(name: string): void;\nexport interface Ambient { readonly on: boolean }\n',
  'web/lib/queue.js': JAVASCRIPT,
  'web/lib/view.jsx': 'export function View({ name }) {\n  return <p>Hello {name}</p>;\n}\n',
  'web/lib/empty.mjs': '// nothing but a comment\n',
  'go/store/store.go': GO,
  'go/go.mod': 'module example.com/store\n\ngo 1.22\n\nrequire golang.org/x/text v0.14.0\n',
  'java/NoteBook.java': JAVA,
  'kotlin/Note.kt': KOTLIN,
  'kotlin/build.gradle.kts': 'plugins { kotlin("jvm") version "2.0.0" }\n\nfun releaseName() = "kebab"\n',
  'c/ring.c': C,
  'c/ring.h': C_HEADER,
  'c/matrix.h': CPP_HEADER,
  'cpp/engine.cpp': CPP,
  'deploy/web.yaml': KUBERNETES,
  'deploy/broken.yaml': 'key: [unclosed\n  other: value\n',
  'deploy/settings.yml': 'retries: 3\nendpoints:\n  - http://127.0.0.1:9000\n',
  'deploy/Dockerfile': 'FROM node:20\nWORKDIR /app\nCOPY . .\nRUN npm ci\nCMD ["node", "main.js"]\n',
  'deploy/Dockerfile.dev': 'FROM node:20\nCMD ["bash"]\n',
  'deploy/package.json': '{\n  "name": "samples",\n  "dependencies": { "left-pad": "1.3.0" }\n}\n',
  'deploy/pom.xml': '<project>\n  <artifactId>notes</artifactId>\n  <version>1.0</version>\n</project>\n',
  'deploy/build.gradle': GROOVY,
  'scripts/install.sh': longScript(),
  Makefile: 'all: build test\n\nbuild:\n\tcc -o kebab main.c\n\ntest:\n\t./kebab --version\n',
  'scripts/report.rb':
    'class Report\n  def initialize(rows)\n    @rows = rows\n  end\n\n  def total = @rows.sum\nend\n',
  'scripts/page.php':
    '<?php\nfunction greet(string $name): string {\n    return "Hello $name";\n}\necho greet("you");\n',
  'scripts/Program.cs': 'using System;\n\nclass Program {\n    static void Main() => Console.WriteLine("notes");\n}\n',
  'scripts/note.swift':
    'struct Note {\n    let title: String\n    func preview() -> String { String(title.prefix(10)) }\n}\n',
  'scripts/Note.scala': 'case class Note(title: String)\n\nobject Notes {\n  def all: List[Note] = Nil\n}\n',
  'scripts/init.lua': 'local M = {}\n\nfunction M.setup(options)\n  return options or {}\nend\n\nreturn M\n',
  'scripts/schema.sql':
    'CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT);\n\nSELECT title FROM notes WHERE id = 1;\n',
  'scripts/note.proto': 'syntax = "proto3";\n\nmessage Note {\n  string title = 1;\n}\n',
  'web/style.css': '.panel { color: teal; }\n\n.panel h2 { font-size: 1.2rem; }\n',
  'web/index.html': '<!doctype html>\n<title>Notes</title>\n<p>Notes are kept here.</p>\n',
  'generated/client.ts': '// @generated by a tool\nexport const client = 1;\n',
  'generated/honest.md': '# Generated?\n\nThis note quotes the words "do not edit" and is written by hand.\n',
};
