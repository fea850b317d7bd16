//! Interned strings: every label key, value, name and resource is a small number.

use rustc_hash::FxHashMap;

/// An interned string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);

/// Gives equal strings equal numbers, in order of first use.
#[derive(Debug, Clone, Default)]
pub struct Interner {
    numbers: FxHashMap<Box<str>, Symbol>,
    texts: Vec<Box<str>>,
}

impl Interner {
    /// The symbol of `text`, new if needed.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(symbol) = self.numbers.get(text) {
            return *symbol;
        }
        let symbol = Symbol(self.texts.len() as u32);
        self.texts.push(text.into());
        self.numbers.insert(text.into(), symbol);
        symbol
    }

    /// The symbol of `text` if it was ever interned.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.numbers.get(text).copied()
    }

    /// The text of a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.0 as usize]
    }
}

/// Interned label pairs, sorted by key symbol.
pub type SymbolLabels = Box<[(Symbol, Symbol)]>;

/// Interns labels.
pub fn intern_labels<'a>(
    interner: &mut Interner,
    labels: impl IntoIterator<Item = (&'a String, &'a String)>,
) -> SymbolLabels {
    let mut pairs: Vec<(Symbol, Symbol)> = labels
        .into_iter()
        .map(|(key, value)| (interner.intern(key), interner.intern(value)))
        .collect();
    pairs.sort_unstable();
    pairs.into_boxed_slice()
}

/// The value of `key` in sorted pairs.
pub fn lookup(labels: &[(Symbol, Symbol)], key: Symbol) -> Option<Symbol> {
    labels
        .binary_search_by_key(&key, |pair| pair.0)
        .ok()
        .map(|index| labels[index].1)
}
