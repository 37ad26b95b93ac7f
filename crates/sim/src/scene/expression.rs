//! Arithmetic in scenes: `"2 * $bodies / 3"`, `'if($divider == "moving", 1, 0)'`. Elementary functions
//! are libm's, so a scene means the same world on every machine. A text is parsed into a [`Tree`], which is
//! worth something at once ([`evaluate`]), or again and again in a controller's program.

use super::error::suggestion;
use crate::multibodies::program::{Function, Operator};
use std::collections::BTreeMap;

/// What an expression or a parameter is worth.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
}

impl std::fmt::Display for Literal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Literal::Number(n) => write!(f, "{n}"),
            Literal::Text(t) => f.write_str(t),
        }
    }
}

/// Nesting beyond this is refused rather than risked.
const DEPTH_MAX: u32 = 64;
/// So many terms or factors in a row at most.
const CHAIN_MAX: usize = 1000;

/// An expression, its parameters filled in.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Tree {
    Literal(Literal),
    /// A bare name: nothing in a scene, a value in a program.
    Name(String),
    Minus(Box<Tree>),
    Binary(Operator, Box<Tree>, Box<Tree>),
    /// A function of [`Function`], or one that only programs know.
    Call(String, Vec<Tree>),
}

/// What `text` says, where `$name` stands for a parameter.
pub(super) fn parse(text: &str, names: &BTreeMap<String, Literal>) -> Result<Tree, String> {
    let mut parser = Parser {
        rest: text,
        names,
        depth: 0,
    };
    let tree = parser.comparison()?;
    match parser.peek() {
        None => Ok(tree),
        Some(_) if is_quantity(text) => Err(format!(
            "`{text}` has a unit; expected the number alone: lengths are metres, masses kilograms, times seconds"
        )),
        Some(c) => Err(format!("unexpected `{c}` in the expression")),
    }
}

/// Whether a text is a number with letters after it.
fn is_quantity(text: &str) -> bool {
    let letters = text.trim_start_matches(|c: char| c.is_ascii_digit() || ".-+ ".contains(c));
    let is_unit = |c: char| c.is_alphabetic() || "/^²³%°".contains(c);
    !letters.is_empty() && letters.len() < text.len() && letters.chars().all(is_unit)
}

/// The value of `text` where `$name` stands for a parameter.
pub(super) fn evaluate(text: &str, names: &BTreeMap<String, Literal>) -> Result<Literal, String> {
    value(&parse(text, names)?)
}

fn value(tree: &Tree) -> Result<Literal, String> {
    Ok(match tree {
        Tree::Literal(literal) => literal.clone(),
        Tree::Name(name) => {
            let known = suggestion(name, Function::names());
            return Err(format!(
                "`{name}` is not a function (a parameter is written `${name}`); {known}"
            ));
        }
        Tree::Minus(of) => Literal::Number(-number(value(of)?)?),
        Tree::Binary(operator, left, right) => {
            let (left, right) = (value(left)?, value(right)?);
            match operator {
                Operator::Equal => Literal::Number(f64::from(u8::from(left == right))),
                Operator::Differ => Literal::Number(f64::from(u8::from(left != right))),
                _ => Literal::Number(operator.of(number(left)?, number(right)?)),
            }
        }
        Tree::Call(name, arguments) if name == "if" => {
            let [condition, then, otherwise] = &arguments[..] else {
                return Err(wrong_count(name, "3", arguments.len()));
            };
            // Both branches must make sense, whichever is taken.
            let (then, otherwise) = (value(then)?, value(otherwise)?);
            match number(value(condition)?)? != 0.0 {
                true => then,
                false => otherwise,
            }
        }
        Tree::Call(name, arguments) => {
            let function = function(name, arguments.len())?;
            let mut numbers = Vec::with_capacity(arguments.len());
            for argument in arguments {
                numbers.push(number(value(argument)?)?);
            }
            Literal::Number(function.of(&numbers))
        }
    })
}

/// The function of a name, if it takes so many arguments.
pub(super) fn function(name: &str, arguments: usize) -> Result<Function, String> {
    let Some(function) = Function::called(name) else {
        let known = suggestion(name, Function::names());
        return Err(format!(
            "`{name}` is not a function (a parameter is written `${name}`); {known}"
        ));
    };
    match function.takes(arguments) {
        true => Ok(function),
        false => Err(wrong_count(name, function.arity(), arguments)),
    }
}

/// A function has been given the wrong number of arguments.
pub(super) fn wrong_count(name: &str, wanted: &str, found: usize) -> String {
    format!("`{name}` takes {wanted} arguments, found {found}")
}

/// A text in which `$name` stands for a parameter's value, and `$(…)` for that of an expression:
/// `link $i`, `link $($i + 1)`.
pub(super) fn fill_in(text: &str, names: &BTreeMap<String, Literal>) -> Result<String, String> {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        filled.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let (expression, left) = if after.starts_with('(') {
            let end = closing(after).ok_or("the `$(` has no closing `)`")?;
            (&after[..end], &after[end..])
        } else {
            rest[at..].split_at(1 + name_length(after))
        };
        filled.push_str(&evaluate(expression, names)?.to_string());
        rest = left;
    }
    filled.push_str(rest);
    Ok(filled)
}

/// Where the parenthesis that a text begins with is closed.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(at + 1),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The names that an expression refers to.
pub(super) fn references(text: &str) -> Vec<&str> {
    let names = text.split('$').skip(1);
    names
        .map(|rest| &rest[..name_length(rest)])
        .filter(|name| !name.is_empty())
        .collect()
}

/// The expression with another one in place of every `$name`.
pub(super) fn replace_reference(text: &str, name: &str, by: &str) -> String {
    let mut parts = text.split('$');
    let mut replaced = parts.next().unwrap_or_default().to_string();
    for part in parts {
        match part.split_at(name_length(part)) {
            (found, rest) if found == name => {
                replaced.push_str(by);
                replaced.push_str(rest);
            }
            _ => {
                replaced.push('$');
                replaced.push_str(part);
            }
        }
    }
    replaced
}

/// Length of the name that a text begins with. A minus ends it: `$n-1` is one less than `$n`.
fn name_length(text: &str) -> usize {
    text.find(|c: char| !(c.is_alphanumeric() || c == '_'))
        .unwrap_or(text.len())
}

/// Whether a parameter of this name can be referred to.
pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty() && name_length(text) == text.len()
}

struct Parser<'a> {
    rest: &'a str,
    names: &'a BTreeMap<String, Literal>,
    depth: u32,
}

impl Parser<'_> {
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn take(&mut self, token: &str) -> bool {
        self.peek();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.take(token) {
            return Ok(());
        }
        let found = self.peek();
        Err(match found {
            Some(c) => format!("expected `{token}`, found `{c}`"),
            None => format!("expected `{token}`, found the end of the expression"),
        })
    }

    fn comparison(&mut self) -> Result<Tree, String> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err("the expression is nested too deeply".into());
        }
        let left = self.sum()?;
        let found = Operator::COMPARISONS
            .into_iter()
            .find(|(sign, _)| self.take(sign));
        self.depth -= 1;
        match found {
            Some((_, operator)) => Ok(binary(operator, left, self.sum()?)),
            None => Ok(left),
        }
    }

    fn sum(&mut self) -> Result<Tree, String> {
        let mut left = self.product()?;
        loop {
            let operator = match () {
                () if self.take("+") => Operator::Plus,
                () if self.take("-") => Operator::Minus,
                () => return Ok(left),
            };
            left = binary(operator, left, self.product()?);
            self.not_too_long(&left)?;
        }
    }

    fn product(&mut self) -> Result<Tree, String> {
        let mut left = self.power()?;
        loop {
            let operator = match () {
                () if self.take("*") => Operator::Times,
                () if self.take("/") => Operator::Over,
                () if self.take("%") => Operator::Remainder,
                () => return Ok(left),
            };
            left = binary(operator, left, self.power()?);
            self.not_too_long(&left)?;
        }
    }

    /// Chains of operators are trees that lean to the left: what walks them must not run out of stack.
    fn not_too_long(&self, tree: &Tree) -> Result<(), String> {
        let (mut tree, mut length) = (tree, 0);
        while let Tree::Binary(_, left, _) = tree {
            (tree, length) = (left, length + 1);
        }
        match length > CHAIN_MAX {
            true => Err(format!("the expression has more than {CHAIN_MAX} terms")),
            false => Ok(()),
        }
    }

    fn power(&mut self) -> Result<Tree, String> {
        let minus = {
            let mut odd = false;
            while self.take("-") {
                odd = !odd;
            }
            odd
        };
        let mut base = self.atom()?;
        if self.take("^") {
            self.depth += 1;
            if self.depth > DEPTH_MAX {
                return Err("the expression is nested too deeply".into());
            }
            base = binary(Operator::Power, base, self.power()?);
            self.depth -= 1;
        }
        Ok(match minus {
            true => Tree::Minus(Box::new(base)),
            false => base,
        })
    }

    fn atom(&mut self) -> Result<Tree, String> {
        match self.peek() {
            None => Err("the expression ends where a value was expected".into()),
            Some('(') => {
                self.take("(");
                let value = self.comparison()?;
                self.expect(")")?;
                Ok(value)
            }
            Some('$') => self.parameter(),
            Some(quote @ ('"' | '\'')) => self.quoted(quote),
            Some(c) if c.is_ascii_digit() || c == '.' => self.digits(),
            Some(c) if c.is_alphabetic() => self.call(),
            Some(c) => Err(format!("`{c}` cannot begin a value")),
        }
    }

    fn parameter(&mut self) -> Result<Tree, String> {
        let rest = &self.rest[1..];
        let (name, rest) = rest.split_at(name_length(rest));
        self.rest = rest;
        let found = self.names.get(name).cloned().map(Tree::Literal);
        found.ok_or_else(|| {
            let known = suggestion(name, self.names.keys().map(String::as_str));
            format!("`${name}` is not a parameter of this scene; {known}")
        })
    }

    fn quoted(&mut self, quote: char) -> Result<Tree, String> {
        let rest = &self.rest[1..];
        let end = rest
            .find(quote)
            .ok_or_else(|| format!("the text that begins with {quote} has no end"))?;
        self.rest = &rest[end + 1..];
        Ok(Tree::Literal(Literal::Text(rest[..end].into())))
    }

    fn digits(&mut self) -> Result<Tree, String> {
        let bytes = self.rest.as_bytes();
        let mut end = 0;
        while end < bytes.len() {
            let exponent_sign = end > 0
                && matches!(bytes[end], b'+' | b'-')
                && matches!(bytes[end - 1], b'e' | b'E');
            let in_number = bytes[end].is_ascii_digit()
                || matches!(bytes[end], b'.' | b'e' | b'E')
                || exponent_sign;
            if !in_number {
                break;
            }
            end += 1;
        }
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest;
        let parsed = digits.parse().map(|n| Tree::Literal(Literal::Number(n)));
        parsed.map_err(|_| format!("`{digits}` is not a number"))
    }

    fn call(&mut self) -> Result<Tree, String> {
        let (name, rest) = self.rest.split_at(name_length(self.rest));
        self.rest = rest;
        if name == "pi" {
            return Ok(Tree::Literal(Literal::Number(std::f64::consts::PI)));
        }
        if self.peek() != Some('(') {
            return Ok(Tree::Name(name.into()));
        }
        self.expect("(")?;
        let mut arguments = vec![self.comparison()?];
        while self.take(",") {
            arguments.push(self.comparison()?);
        }
        self.expect(")")?;
        Ok(Tree::Call(name.into(), arguments))
    }
}

fn binary(operator: Operator, left: Tree, right: Tree) -> Tree {
    Tree::Binary(operator, Box::new(left), Box::new(right))
}

fn number(value: Literal) -> Result<f64, String> {
    match value {
        Literal::Number(n) => Ok(n),
        Literal::Text(t) => Err(format!("expected a number, found the text `{t}`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<Literal, String> {
        let mut names = BTreeMap::new();
        names.insert("n".to_string(), Literal::Number(300.0));
        names.insert("mode".to_string(), Literal::Text("still".into()));
        evaluate(text, &names)
    }

    #[test]
    fn arithmetic_has_the_usual_precedence() {
        for (text, expected) in [
            ("1 + 2 * 3", 7.0),
            ("(1 + 2) * 3", 9.0),
            ("-2 ^ 2", -4.0),
            ("2 ^ 3 ^ 2", 512.0),
            ("7 % 4 - 1e-1", 2.9),
            ("round($n * 2 / 3)", 200.0),
            ("$n-1", 299.0),
            ("if($mode == 'still', 5, 6)", 5.0),
            ("min(3, max(1, 2))", 2.0),
            ("$n >= 300", 1.0),
        ] {
            assert_eq!(value(text), Ok(Literal::Number(expected)), "{text}");
        }
    }

    #[test]
    fn names_are_filled_in() {
        let mut names = BTreeMap::new();
        names.insert("i".to_string(), Literal::Number(3.0));
        for (text, expected) in [
            ("link $i", "link 3"),
            ("link $($i + 1) 1", "link 4 1"),
            ("pin $i-$($i * 2)", "pin 3-6"),
            ("no parameter", "no parameter"),
            ("$i", "3"),
        ] {
            assert_eq!(fill_in(text, &names), Ok(expected.into()), "{text}");
        }
        assert!(fill_in("x$(1", &names).is_err());
        assert!(fill_in("link $j", &names).is_err());
        assert!(fill_in("costs 5$", &names).is_err());
    }

    #[test]
    fn nonsense_is_refused_with_a_reason() {
        for (text, reason) in [
            ("1 +", "ends where a value"),
            ("$m", "did you mean `n`"),
            ("sqr(2)", "did you mean `sqrt`"),
            ("2 * $mode", "found the text `still`"),
            ("1 2", "unexpected `2`"),
            ("2 kg", "`2 kg` has a unit; expected the number alone"),
            ("1.5m/s", "has a unit"),
            ("min(1)", "takes 2 arguments"),
            ("'a", "has no end"),
            ("1..2", "not a number"),
        ] {
            let message = value(text).unwrap_err();
            assert!(message.contains(reason), "{text}: {message}");
        }
        assert!(value(&"(".repeat(100_000)).unwrap_err().contains("deeply"));
        assert!(value(&"2^".repeat(100_000)).unwrap_err().contains("deeply"));
    }
}
